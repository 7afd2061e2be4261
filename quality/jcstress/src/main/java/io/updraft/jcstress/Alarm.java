package io.updraft.jcstress;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A transport that sends nothing. {@link #await} ignores the requested time and waits until it is woken, for at most 3 s. */
public final class Alarm implements Transport {

    /** Long against any time for which a thread that was woken may have to wait for a core. */
    private static final long NANOS = 3_000_000_000L;

    private volatile boolean woken;
    private volatile Thread sleeper;
    private boolean overslept;

    /** Creates it. */
    public Alarm() {}

    /** {@return a messenger that waits here} */
    public Messenger messenger() {
        return new Messenger(this, MessengerOptions.of(Map.of(), new PeerIdentity("stress", 0, 1), Credentials.NONE));
    }

    /** {@return whether nobody woke the one who waited; for that one} */
    public boolean hasOverslept() {
        return overslept;
    }

    @Override
    public void await(long nanos) {
        long end = System.nanoTime() + NANOS;
        sleeper = Thread.currentThread();
        while (!woken) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                overslept = true;
                break;
            }
            LockSupport.parkNanos(left);
        }
        woken = false;
    }

    @Override
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(sleeper);
    }

    @Override
    public int poll() {
        return 0;
    }

    @Override
    public String name() {
        return "alarm";
    }

    @Override
    public String description() {
        return name();
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) {
        throw new UnsupportedOperationException("it carries nothing");
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        throw new UnsupportedOperationException("it carries nothing");
    }

    @Override
    public void close() {
        // It has nothing.
    }
}
