/**
 * Sends measurements to one of several clusters. A key always goes to the same partition index. An index goes to the first
 * cluster that takes its records.
 */
package io.updraft.kafka.router;
