/**
 * The other side of the bench between workers: stock Storm on a cluster of its own on this host, and Updraft on the same cluster.
 *
 * <pre>
 *   harness --- StormClusterWorkers --- StormCluster ---> ZooKeeper, Nimbus, Supervisor ---> worker 1..n
 *      |                                                                                        |
 *      +--------------- answers of the bench's components, over loopback -----------------------+
 * </pre>
 *
 * <p>A module of its own, so that the command line ships nothing of it: the bench finds it in the build, and loads it in the
 * harness's JVM for runs on a Storm cluster alone.
 */
package io.updraft.bench.cluster;
