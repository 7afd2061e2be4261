/** The topologies of a cluster: how they start, change, run and end, and what is reported of them. */
package io.updraft.storm.cluster;
