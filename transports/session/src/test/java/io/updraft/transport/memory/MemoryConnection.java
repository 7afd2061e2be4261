package io.updraft.transport.memory;

import io.updraft.transport.Address;
import java.util.SplittableRandom;

/** A connection between two transports, with all that can go wrong. */
public final class MemoryConnection {

    private final Address address;
    private final SplittableRandom random;
    private final Pipe toListener;
    private final Pipe toConnector;

    MemoryConnection(Address address, SplittableRandom random, Pipe toListener, Pipe toConnector) {
        this.address = address;
        this.random = random;
        this.toListener = toListener;
        this.toConnector = toConnector;
    }

    /** {@return where it was opened to} */
    public Address address() {
        return address;
    }

    /** {@return what goes to the side that listened} */
    public Pipe toListener() {
        return toListener;
    }

    /** {@return what goes to the side that connected} */
    public Pipe toConnector() {
        return toConnector;
    }

    /** Breaks it, so that both sides notice. Some first part of what is under way in each direction still arrives. */
    public void cut() {
        toListener.cut(random, "the connection was reset");
        toConnector.cut(random, "the connection was reset");
    }

    /** Lets nothing arrive any more, in either direction, without telling anybody. */
    public void halfOpen() {
        toListener.deliver(0);
        toConnector.deliver(0);
    }
}
