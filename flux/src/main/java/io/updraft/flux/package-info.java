/**
 * Topologies described in YAML, in the format of Storm's Flux: read, checked with the line of every mistake, built and
 * submitted.
 *
 * <p>The format is that of Storm 2.8's documentation ("Flux") and of its reader; the classes of Flux itself are not used. What
 * differs is said at {@link io.updraft.flux.FluxTopology}.
 */
package io.updraft.flux;
