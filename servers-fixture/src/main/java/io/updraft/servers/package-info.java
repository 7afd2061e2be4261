/**
 * Real servers on this host, for tests and the bench: Kafka brokers and ZooKeeper from the artifacts that the build has
 * fetched, PostgreSQL and Redis from the system's packages.
 *
 * <pre>
 *   test JVM --- KafkaServer --- starts ---> broker 1..n, each a JVM of its own
 *      |                                         |
 *      |                                         +-- has the mark of its {@link io.updraft.servers.ServerHome}
 *      +--- pipe ---> reaper (a shell)
 *                       +-- when the pipe breaks, kills all processes with the mark, and removes the directory
 * </pre>
 *
 * <p>Nothing is left behind, however the test JVM ends. Needs Linux: processes are found in {@code /proc}.
 */
package io.updraft.servers;
