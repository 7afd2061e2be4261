package io.updraft.kafka.router;

/** Told, once for each record that the router took, what became of it; on a thread of a producer, which must not wait. */
public interface DeliveryListener {

    /**
     * The record is stored, by all in-sync replicas.
     *
     * @param target where
     * @param partition the partition's index
     * @param offset its offset there
     */
    void onDelivered(String target, int partition, long offset);

    /**
     * The record was not stored as far as is known: it can be stored nowhere (too large), or the router was closed.
     *
     * @param cause why
     */
    void onFailed(Exception cause);
}
