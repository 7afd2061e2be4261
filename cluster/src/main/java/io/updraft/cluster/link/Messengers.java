package io.updraft.cluster.link;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of a worker, over one transport for all workers or over two: one for workers of the same host, one for workers
 * of other hosts. Used by the gateway's thread only, except {@link #wakeUp}.
 *
 * <p>A thread can wait on one transport only. With two transports the thread waits on the transport that was busy last, and
 * polls the other one every millisecond.
 */
final class Messengers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Messengers.class);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LinkOptions options;
    private final Messenger near;

    /** The same as {@link #near} if one transport serves all workers. */
    private final Messenger far;

    private Messenger busy;

    private Messengers(LinkOptions options, Messenger near, Messenger far) {
        this.options = options;
        this.near = near;
        this.far = far;
        busy = near;
    }

    static Messengers open(LinkOptions options) throws TransportException {
        try {
            TransportOptions settings = TransportOptions.of(options.conf());
            MessengerOptions sessions = MessengerOptions.of(options.conf(), options.self(), options.credentials());
            TransportNames names = TransportNames.of(options.conf());
            Messenger far = messenger(options, Transports.create(names.remote(), settings), sessions);
            if (!names.areTwo()) {
                return of(options, far);
            }
            try {
                Transport local = Transports.createWithinHost(names.local(), settings);
                return new Messengers(options, messenger(options, local, sessions), far);
            } catch (Throwable e) {
                far.close();
                throw e;
            }
        } catch (IllegalArgumentException e) {
            throw new TransportException(e.getMessage(), e);
        }
    }

    static Messengers of(LinkOptions options, Messenger only) {
        return new Messengers(options, only, only);
    }

    private static Messenger messenger(LinkOptions options, Transport transport, MessengerOptions sessions) {
        try {
            LOG.info("worker {} uses {}", options.self().worker(), transport.description());
            return new Messenger(transport, sessions);
        } catch (Throwable e) {
            transport.close();
            throw e;
        }
    }

    Endpoints listen(Function<PeerIdentity, SessionHandler> accept) throws TransportException {
        Address farAddress = far.listen(options.at(), accept).address();
        Address nearAddress = near == far
                ? farAddress
                : near.listen(Address.loopback(0), accept).address();
        return new Endpoints(options.host(), nearAddress, farAddress);
    }

    Session connect(PeerAddress to, SessionHandler handler) {
        Endpoints endpoints = to.endpoints();
        return endpoints.host().equals(options.host())
                ? near.connect(endpoints.near(), to.worker(), handler)
                : far.connect(endpoints.far(), to.worker(), handler);
    }

    int doWork() {
        int done = near.doWork();
        if (far == near) {
            return done;
        }
        int farDone = far.doWork();
        if (done > 0) {
            busy = near;
        } else if (farDone > 0) {
            busy = far;
        }
        return done + farDone;
    }

    void await(long nanos) {
        busy.await(far == near ? nanos : Math.min(nanos, POLL_NANOS));
    }

    void wakeUp() {
        near.wakeUp();
        if (far != near) {
            far.wakeUp();
        }
    }

    @Override
    public void close() {
        try {
            near.close();
        } finally {
            if (far != near) {
                far.close();
            }
        }
    }
}
