/** The task that merges windows and writes them to the sinks. */
package io.updraft.pipeline.writing;
