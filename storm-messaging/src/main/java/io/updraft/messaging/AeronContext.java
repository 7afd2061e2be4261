package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.AeronContext} lets Storm's workers talk over Aeron, that is shared memory or UDP. */
public final class AeronContext extends TransportContext {

    /** Creates a context; Storm does, by reflection. */
    public AeronContext() {
        super("aeron");
    }
}
