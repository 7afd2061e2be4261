package io.updraft.transport.aeron;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;

/** Makes transports over Aeron; a configuration chooses them as {@code aeron}. */
public final class AeronProvider implements TransportProvider {

    /**
     * Folder of a media driver that runs already and that all peers share; then channels are shared memory, and an address is
     * merely a number. Unset: a driver of this transport's own, and UDP.
     */
    public static final String SHARED_DRIVER = "updraft.transport.aeron.dir";

    /** Bytes of a UDP datagram, 1,408 unless set; more only where every hop on the way carries it. Own driver only. */
    public static final String MTU = "updraft.transport.aeron.mtu";

    static final String NAME = "aeron";

    private static final String INTERNALS = "jdk.internal.misc";

    /** Creates a provider, as {@link java.util.ServiceLoader} does. */
    public AeronProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        // Agrona's failure would be an IllegalAccessError from deep within.
        Module agrona = getClass().getModule();
        if (!Object.class.getModule().isOpen(INTERNALS, agrona)) {
            throw new TransportException("aeron: this JVM needs the option --add-opens java.base/" + INTERNALS
                    + "=ALL-UNNAMED; add it to worker.childopts");
        }
        try {
            return AeronTransport.start(Settings.of(options));
        } catch (IllegalArgumentException wrong) {
            throw new TransportException(wrong.getMessage(), wrong);
        }
    }
}
