/** Work units that span several Kafka clusters, shared through ZooKeeper. */
package io.updraft.kafka.zookeeper;
