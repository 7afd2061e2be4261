/**
 * A real Storm cluster on this host, for tests: ZooKeeper, Nimbus, Supervisors and the workers that they start. Each one is a
 * JVM of its own, from the artifacts that the build has fetched.
 *
 * <pre>
 *   test JVM --- StormCluster --- starts ---> ZooKeeper, Nimbus, Supervisor 1..n --- start ---> workers
 *      |                                             |                                             |
 *      +--- pipe ---> Reaper                         +------ all carry the mark of the cluster ----+
 *                       |                                    in their environment
 *                       +-- when the pipe breaks, kills all processes with the mark, and removes the directory
 * </pre>
 *
 * <p>Nothing is left behind, however the test JVM ends. Needs Linux: processes are found in {@code /proc}.
 */
package io.updraft.stormcluster;
