package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.aeron.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The exclusive right to listen at a port of a shared driver. There a port is only the number of a stream, to which any number
 * of clients may subscribe. A claimant adds a counter that names the port, and owns the port if there is no other such counter.
 * Of two claimants at the same time, at least the later one sees both counters. If both see both, each tries again after a
 * random pause.
 */
record PortClaim(Counter counter) implements AutoCloseable {

    /** Aeron leaves type ids from 1,000 on to applications. */
    static final int TYPE = 0x5570;

    private static final int MAX_ATTEMPTS = 5;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    /**
     * Claims a port.
     *
     * @throws IllegalStateException when another process owns it
     */
    static PortClaim of(Aeron client, int port) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Counter counter = counter(client, port);
            if (isOnly(counter, client.countersReader(), port)) {
                return new PortClaim(counter);
            }
            counter.close();
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
        throw new IllegalStateException("another process listens there already");
    }

    private static Counter counter(Aeron client, int port) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
        key.putInt(0, port);
        UnsafeBuffer label = new UnsafeBuffer(("updraft: listens at port " + port).getBytes(StandardCharsets.US_ASCII));
        return client.addCounter(TYPE, key, 0, key.capacity(), label, 0, label.capacity());
    }

    private static boolean isOnly(Counter claim, CountersReader counters, int port) {
        boolean[] claimed = {false};
        counters.forEach(
                (id, type, key, label) -> claimed[0] |= type == TYPE && key.getInt(0) == port && id != claim.id());
        return !claimed[0];
    }

    /**
     * Checks that a host is this host, because a shared driver serves only this host.
     *
     * @throws IllegalStateException when it is another host
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
