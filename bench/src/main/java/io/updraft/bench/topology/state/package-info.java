/** The counters of a run's tasks, and how they reach the harness. */
package io.updraft.bench.topology.state;
