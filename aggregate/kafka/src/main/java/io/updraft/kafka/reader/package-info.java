/**
 * Reads partitions of Kafka, each in isolation from the others.
 *
 * <pre>
 *  thread of the caller                             one thread for each broker that leads a partition
 *   assign, revoke, pause  === orders (mailbox) ===  broker reader: a consumer without a group
 *   poll  ========== a queue for each partition ===    copies records into chunks; pauses partitions whose queue is full
 * </pre>
 *
 * <p>A consumer fetches from one broker only, the leader of all of its partitions. A broker that is slow, stopped or dead holds
 * up only the partitions that it leads. A partition whose records are not taken holds up no other partition of that broker.
 *
 * <p><b>Groups.</b> The reader belongs to no consumer group: its caller assigns partitions and offsets. A caller that takes
 * part in a group uses a second consumer with all of its partitions paused. That consumer polls for heartbeats and commits with
 * its generation, so that the group's coordinator refuses commits of a removed member. Reading with the group's own consumer
 * would save one connection. But it would tie all brokers to one thread, and fetching of every partition would wait for each
 * rebalance.
 */
package io.updraft.kafka.reader;
