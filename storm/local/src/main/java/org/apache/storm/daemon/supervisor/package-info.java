/** A type in the signatures of {@link org.apache.storm.LocalCluster}. */
package org.apache.storm.daemon.supervisor;
