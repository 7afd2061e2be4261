package io.updraft.kafka.router;

/** Receives the outcome of each record that the router took, once. Called on a thread of a producer, and must not block. */
public interface DeliveryListener {

    /** All in-sync replicas have stored the record. */
    void onDelivered(String target, int partition, long offset);

    /**
     * The record was not stored as far as the router knows. No target can store it (too large), or the router was closed.
     */
    void onFailed(Exception cause);
}
