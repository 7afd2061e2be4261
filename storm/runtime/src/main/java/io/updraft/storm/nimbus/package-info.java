/** Nimbus' interface over a cluster: in the process, and on a port. */
package io.updraft.storm.nimbus;
