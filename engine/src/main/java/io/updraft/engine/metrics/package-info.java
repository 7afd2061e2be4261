/** Snapshots of a running topology. */
package io.updraft.engine.metrics;
