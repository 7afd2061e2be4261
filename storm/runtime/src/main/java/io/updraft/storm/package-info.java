/**
 * A cluster in this process, and Nimbus' interface to it: topologies are submitted, changed, described and ended here, from this
 * process or by a port, and programs run unchanged because Storm's client is redirected.
 *
 * <p>The engine does not depend on this package. Everything here translates between {@code org.apache.storm} and {@link
 * io.updraft.engine.run.Engine}.
 */
package io.updraft.storm;
