/** The counters of a run, written by its tasks and read by any thread. */
package io.updraft.pipeline.counter;
