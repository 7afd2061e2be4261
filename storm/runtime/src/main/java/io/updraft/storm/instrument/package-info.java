/**
 * Instruments of running component instances: task hooks, the event logger, checks, counts. Each one is a {@link
 * io.updraft.storm.instrument.Watcher}. An instance without watchers is not wrapped and has no overhead.
 */
package io.updraft.storm.instrument;
