/** Sinks of results and of refused records: the terminal, files, PostgreSQL, Redis. */
package io.updraft.pipeline.sink;
