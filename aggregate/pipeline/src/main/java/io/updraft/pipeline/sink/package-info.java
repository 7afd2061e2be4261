/** The sinks of a pipeline. */
package io.updraft.pipeline.sink;
