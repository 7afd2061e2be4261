package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.aeron.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The right to listen at a port of a shared driver, where a port is only the number of a stream to which any number may
 * subscribe. Who wants it asks the driver for a counter that names the port, and has it unless there is an older one.
 */
final class Claim implements AutoCloseable {

    /** Aeron leaves numbers from 1,000 on to applications. */
    private static final int TYPE = 0x5570;

    private final Counter counter;

    private Claim(Counter counter) {
        this.counter = counter;
    }

    /**
     * Claims a port.
     *
     * @throws IllegalStateException when somebody else has it
     */
    static Claim of(Aeron client, int port) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
        key.putInt(0, port);
        UnsafeBuffer label = new UnsafeBuffer(("updraft: listens at port " + port).getBytes(StandardCharsets.US_ASCII));
        Counter counter = client.addCounter(TYPE, key, 0, key.capacity(), label, 0, label.capacity());
        if (isTaken(client.countersReader(), port, counter)) {
            counter.close();
            throw new IllegalStateException("another process listens there already");
        }
        return new Claim(counter);
    }

    private static boolean isTaken(CountersReader counters, int port, Counter own) {
        boolean[] taken = {false};
        counters.forEach((id, type, key, label) -> {
            if (type == TYPE && key.getInt(0) == port && id != own.id()) {
                // The driver numbers what it is asked for: of two that come at once, each sees the same one first.
                taken[0] |= counters.getCounterRegistrationId(id) < own.registrationId();
            }
        });
        return taken[0];
    }

    /**
     * Sees to it that a host is this one, of which a shared driver is.
     *
     * @throws IllegalStateException when it is another one
     */
    static void checkHost(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isAnyLocalAddress()
                    && !address.isLoopbackAddress()
                    && NetworkInterface.getByInetAddress(address) == null) {
                throw new IllegalStateException(host + " is not an address of this host");
            }
        } catch (IOException unknown) {
            throw new IllegalStateException("there is no host '" + host + "'", unknown);
        }
    }

    @Override
    public void close() {
        counter.close();
    }
}
