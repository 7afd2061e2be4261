/** PostgreSQL as a sink: rows and positions in one transaction. */
package io.updraft.pipeline.sink.postgres;
