/** The task that sends records to Kafka partitions by key. */
package io.updraft.pipeline.routing;
