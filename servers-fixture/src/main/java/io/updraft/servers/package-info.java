/**
 * Real servers on this host, for tests and the bench, from the artifacts that the build has fetched: brokers of Kafka.
 *
 * <pre>
 *   test JVM --- KafkaServer --- starts ---> broker 1..n, each a JVM of its own
 *      |                                         |
 *      |                                         +-- carries the mark of its {@link io.updraft.servers.ServerHome}
 *      +--- pipe ---> reaper (a shell)
 *                       +-- when the pipe breaks, kills whatever carries the mark, and removes the directory
 * </pre>
 *
 * <p>So nothing is left behind, however the test JVM ends. Needs Linux: processes are found in {@code /proc}.
 */
package io.updraft.servers;
