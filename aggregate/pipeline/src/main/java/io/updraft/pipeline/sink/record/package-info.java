/** Sinks of refused records. */
package io.updraft.pipeline.sink.record;
