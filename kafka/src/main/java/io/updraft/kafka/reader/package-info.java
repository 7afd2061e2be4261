/**
 * Reads partitions of Kafka, each in isolation from the others.
 *
 * <pre>
 *  thread of the caller                             one thread for each broker that leads a partition
 *   assign, revoke, pause  === orders (mailbox) ===  broker reader: a consumer without a group
 *   poll  ========== a queue for each partition ===    copies records into batches; pauses partitions whose queue is full
 * </pre>
 *
 * <p>A consumer fetches from one broker only, the leader of all of its partitions. So a broker that is slow, stopped or dead holds up
 * nothing but the partitions that it leads, and a partition whose records nobody takes holds up no other of that broker.
 *
 * <p><b>Groups.</b> The reader belongs to none: it is told what to read from where. Whoever takes part in a group does so with a
 * consumer of its own which reads nothing (all of its partitions are paused), polls for the heartbeats and commits with its
 * generation, so that the group's coordinator refuses commits of a member that was thrown out. Reading by the group's own consumer
 * would be simpler by one connection, but would tie all brokers to one thread, and would make the fetching of every partition wait
 * for each rebalance.
 */
package io.updraft.kafka.reader;
