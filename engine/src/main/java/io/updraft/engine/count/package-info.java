/** Counters and latencies of executors. One thread writes, any thread reads. */
package io.updraft.engine.count;
