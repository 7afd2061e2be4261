/**
 * A real Storm cluster on this host, for tests: ZooKeeper, Nimbus, Supervisors and the workers that they start, each a JVM
 * of its own, from the artifacts that the build has fetched.
 *
 * <pre>
 *   test JVM --- StormCluster --- starts ---> ZooKeeper, Nimbus, Supervisor 1..n --- start ---> workers
 *      |                                             |                                             |
 *      +--- pipe ---> Reaper                         +------ all carry the mark of the cluster ----+
 *                       |                                    in their environment
 *                       +-- when the pipe breaks, kills whatever carries the mark, and removes the directory
 * </pre>
 *
 * <p>So nothing is left behind, however the test JVM ends. Needs Linux: processes are found in {@code /proc}.
 */
package io.updraft.stormcluster;
