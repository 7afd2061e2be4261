package io.updraft.messaging;

/**
 * {@code storm.messaging.transport: io.updraft.messaging.AeronContext} connects Storm's workers with Aeron: shared memory or
 * UDP.
 */
public final class AeronContext extends TransportContext {

    /** Creates a context. Storm calls this constructor by reflection. */
    public AeronContext() {
        super("aeron");
    }
}
