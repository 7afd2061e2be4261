package io.updraft.transport.aeron;

import io.updraft.transport.HostService;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates transports over Aeron; a configuration selects them as {@code aeron}. */
public final class AeronProvider implements TransportProvider {

    /**
     * Folder of a running media driver that all peers share. Channels are then shared memory, and only the port of an address
     * matters. If unset, the transport starts its own driver, and channels are UDP.
     */
    public static final String SHARED_DRIVER = "updraft.transport.aeron.dir";

    /** Bytes of a UDP datagram; 1,408 if unset. Use more only where every hop of the network carries it. Own driver only. */
    public static final String MTU = "updraft.transport.aeron.mtu";

    static final String NAME = "aeron";

    private static final Logger LOG = LoggerFactory.getLogger(AeronProvider.class);
    private static final String INTERNALS = "jdk.internal.misc";
    private static final String OPEN = "--add-opens java.base/" + INTERNALS + "=ALL-UNNAMED";

    /** Creates a provider, as {@link java.util.ServiceLoader} does. */
    public AeronProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        if (!canRun()) {
            throw new TransportException("aeron: this JVM needs the option " + OPEN + "; add it to worker.childopts");
        }
        try {
            return new AeronTransport(AeronSettings.of(options));
        } catch (IllegalArgumentException wrong) {
            throw new TransportException(wrong.getMessage(), wrong);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Starts a media driver in this process, so that channels within this host are shared memory.
     */
    @Override
    public Optional<HostService> openHostService(TransportOptions options) throws TransportException {
        if (options.conf().containsKey(SHARED_DRIVER)) {
            return Optional.empty();
        }
        if (!canRun()) {
            LOG.warn(
                    "aeron: cannot share a media driver, as this JVM lacks the option {}: each worker starts its own"
                            + " driver, and channels within this host are UDP too",
                    OPEN);
            return Optional.empty();
        }
        try {
            return Optional.of(HostDriver.start(AeronSettings.of(options)));
        } catch (IllegalArgumentException wrong) {
            throw new TransportException(wrong.getMessage(), wrong);
        }
    }

    /** Whether Aeron can run; checked first because Agrona would fail with an IllegalAccessError from deep within. */
    private static boolean canRun() {
        return Object.class.getModule().isOpen(INTERNALS, AeronProvider.class.getModule());
    }
}
