package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.memory.MemoryNetwork;
import io.updraft.transport.security.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Messengers on a network in memory, and a clock that only tests advance. */
final class SimulatedSessions {

    static final long MILLI = 1_000_000;
    static final Address HERE = new Address("127.0.0.1", 7001);
    static final Credentials SECRET = Credentials.of("a secret of 16 or more bytes".getBytes(StandardCharsets.UTF_8));

    final MemoryNetwork network;
    final List<Messenger> messengers = new ArrayList<>();
    /** Who else wants to be polled; each says how much it did. */
    final List<IntSupplier> others = new ArrayList<>();

    long now = 5;

    SimulatedSessions() {
        this(new MemoryNetwork(1, 1024, 16 * 1024, 8 * 1024));
    }

    SimulatedSessions(MemoryNetwork network) {
        this.network = network;
    }

    static MessengerOptions options(int worker) {
        return options(new PeerIdentity("wordcount-1", worker, 1), SECRET, 4096);
    }

    static MessengerOptions options(PeerIdentity self, Credentials credentials, int credit) {
        return new MessengerOptions(
                self,
                credentials,
                false,
                credit,
                100 * MILLI,
                1_000 * MILLI,
                1_000 * MILLI,
                2_048,
                50 * MILLI,
                400 * MILLI,
                self.worker());
    }

    Messenger messenger(int worker) {
        return messenger(options(worker));
    }

    Messenger messenger(MessengerOptions options) {
        return messenger(options, network.transport());
    }

    Messenger messenger(MessengerOptions options, Transport transport) {
        Messenger messenger = new Messenger(transport, options, () -> now);
        messengers.add(messenger);
        return messenger;
    }

    /** Lets everybody work until there is nothing more to do, without time passing. */
    void settle() {
        int idle = 0;
        for (int round = 0; idle < 2; round++) {
            int done = 0;
            for (Messenger messenger : messengers) {
                done += messenger.doWork();
            }
            done += others.stream().mapToInt(IntSupplier::getAsInt).sum();
            idle = done == 0 ? idle + 1 : 0;
            assertThat(round).as("rounds without coming to rest").isLessThan(100_000);
        }
    }

    /** Lets time pass in small steps. */
    void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 5) {
            now += 5 * MILLI;
            settle();
        }
    }

    /** Lets time pass until something is the case. */
    void passUntil(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            assertThat(i).as("steps of 5 ms in vain").isLessThan(10_000);
            pass(5);
        }
    }
}
