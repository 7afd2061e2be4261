/** Figures and health of a run for monitoring systems: Prometheus, OpenMetrics, probes. */
package io.updraft.observe.metrics;
