/**
 * A running topology. Start at {@code EventLoop.doWork}: loops give their executors turns, executors call spouts and bolts, and
 * collectors send what these emit on its way. Also here: back-pressure, the watchdog of turns, threads of blocking executors, changes
 * while the topology runs, and reading its counters.
 */
package io.updraft.engine.run;
