/**
 * What looks into the instances of components while they run: task hooks, the event logger, checks, counts. Each is a
 * {@link io.updraft.storm.instrument.Watcher}; an instance that nobody watches is not wrapped and pays nothing.
 */
package io.updraft.storm.instrument;
