/**
 * Sending measurements to one of several clusters: a key always goes to the same partition index, and that index to the
 * first cluster that takes it.
 */
package io.updraft.kafka.router;
