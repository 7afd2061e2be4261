/**
 * Runs of {@code updraft bench --workers} on a Storm cluster: stock Storm on its own cluster on this host, and Updraft on the
 * same cluster.
 *
 * <pre>
 *   harness --- StormClusterWorkers --- StormCluster ---> ZooKeeper, Nimbus, Supervisor ---> worker 1..n
 *      |                                                                                        |
 *      +--------------- answers of the bench's components, over loopback -----------------------+
 * </pre>
 *
 * <p>This is a separate module, which the command line does not ship. The bench finds the module in the build, and loads it in
 * the harness's JVM only for runs on a Storm cluster.
 */
package io.updraft.bench.cluster;
