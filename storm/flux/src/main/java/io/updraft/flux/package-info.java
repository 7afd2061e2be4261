/**
 * Topologies described in YAML, in the format of Storm's Flux. Descriptions are read, checked with the line of every mistake,
 * built and submitted.
 *
 * <p>The format is that of the documentation of Storm 2.8 ("Flux") and of its reader. The classes of Flux itself are not used.
 * {@link io.updraft.flux.FluxTopology} lists the differences.
 */
package io.updraft.flux;
