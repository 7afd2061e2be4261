/** Files as sinks: CSV, JSON and Parquet, written whole or not at all. */
package io.updraft.pipeline.sink.file;
