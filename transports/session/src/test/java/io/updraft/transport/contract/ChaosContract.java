package io.updraft.transport.contract;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sessions over a transport while everything goes wrong that may: channels are cut or go dead, workers stop, are killed and
 * come back, do not work off what they get, and unauthenticated peers connect. A transport's module extends this as it does {@link
 * TransportContract}.
 *
 * <p>A run is a sequence of faults that follows from its seed; when each of them happens does not, as threads and networks are
 * real. So a seed that has failed need not fail again, but is likely to. {@code -Dupdraft.chaos.seed} is the first seed to run,
 * {@code -Dupdraft.chaos.seeds} how many the slow test runs: one, of 12 faults, unless told otherwise, as most of its time is waiting.
 */
public abstract class ChaosContract extends ContractFixture {

    static final int CREDIT = 1024 * 1024;

    private static final int LONGEST = 8 * 1024 * 1024;
    private static final int FAULTS = 8;
    private static final int MANY_FAULTS = 12;
    private static final int MANY_SEEDS = Integer.getInteger("updraft.chaos.seeds", 1);
    private static final long MILLI = 1_000_000;
    private static final Credentials SECRET =
            Credentials.of("a secret of 16 or more bytes".getBytes(StandardCharsets.UTF_8));

    /** What a program that knows nothing of the transport can connect to. */
    public enum RawPort {
        /** The port is one of TCP. */
        TCP,
        /** The port is one of UDP. */
        UDP,
        /** It is no port of the host's. */
        NONE
    }

    /** For subclasses. */
    protected ChaosContract() {}

    /** {@return what a port of this transport is to others} */
    protected abstract RawPort rawPort();

    /** {@return after how long a peer that is silent, or has not proved who it is, counts as gone} */
    protected long silenceMillis() {
        return 1_500;
    }

    /** {@return the number of unauthenticated peers that may have channels open at once, beside the workers} */
    protected int manyStrangers() {
        return 30;
    }

    /** {@return peers that one worker must be able to have} */
    protected int manyPeers() {
        return 100;
    }

    /** {@return peers that one worker must be able to have, in the slow tests} */
    protected int veryManyPeers() {
        return 1_000;
    }

    @Test
    void shouldKeepItsPromisesWhateverHappens() throws Exception {
        run(firstSeed(), FAULTS);
    }

    @Test
    @Tag("long")
    void shouldKeepItsPromisesWhateverHappensForLong() throws Exception {
        long first = firstSeed();
        for (long seed = first; seed < first + MANY_SEEDS; seed++) {
            run(seed, MANY_FAULTS);
        }
    }

    @Test
    void shouldDelayOnlyAPeerThatStandsStillAndTakeAllBackWhenTheirWorkerReturns() throws Exception {
        manyPeers(manyPeers());
    }

    @Test
    @Tag("long")
    void shouldDelayOnlyOneOfVeryManyPeers() throws Exception {
        manyPeers(veryManyPeers());
    }

    @Test
    @Tag("long")
    void shouldCarryTheLongestFrameBothWays() throws Exception {
        try (ManyPeers two = new ManyPeers(this, 1)) {
            two.shouldCarryTheLongestFrameBothWays();
        }
    }

    private void manyPeers(int many) throws Exception {
        try (ManyPeers crowd = new ManyPeers(this, many)) {
            crowd.shouldDelayOnlyAPeerThatStandsStill();
            crowd.shouldComeBackWhenTheirWorkerReturns();
        }
    }

    private void run(long seed, int faults) throws Exception {
        long start = System.nanoTime();
        ChaosNetwork chaos = new ChaosNetwork(this, seed, LONGEST);
        try (chaos) {
            for (int i = 0; i < faults; i++) {
                chaos.strike();
            }
            chaos.settle();
        } catch (Throwable thrown) {
            throw new AssertionError(
                    "seed " + seed + ", after " + chaos.history() + ": " + thrown.getMessage(), thrown);
        }
        System.out.printf(
                "chaos of %s: seed %d, %s, %d ms%n",
                getClass().getSimpleName(), seed, chaos.summary(), (System.nanoTime() - start) / MILLI);
    }

    private static long firstSeed() {
        return Long.getLong("updraft.chaos.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    }

    /** A peer that is gone, or unauthenticated, is given up soon. */
    final Transport transport() throws TransportException {
        return create(Map.of(TransportOptions.CONNECT_TIMEOUT, 5_000));
    }

    /** For hundreds of channels that open at once. */
    final Transport patientTransport() throws TransportException {
        return create(Map.of(TransportOptions.CONNECT_TIMEOUT, 60_000));
    }

    final Address port() {
        return anyPort();
    }

    static MessengerOptions options(int worker, long incarnation, int credit, long silenceMillis) {
        return new MessengerOptions(
                new PeerIdentity("chaos", worker, incarnation),
                SECRET,
                false,
                credit,
                200 * MILLI,
                silenceMillis * MILLI,
                silenceMillis * MILLI,
                2_048,
                20 * MILLI,
                200 * MILLI,
                worker + 31 * incarnation);
    }

    /** For those who share one thread with hundreds of others. */
    static MessengerOptions patient(int worker, long incarnation, int credit) {
        return new MessengerOptions(
                new PeerIdentity("chaos", worker, incarnation),
                SECRET,
                false,
                credit,
                500 * MILLI,
                15_000 * MILLI,
                15_000 * MILLI,
                2_048,
                20 * MILLI,
                500 * MILLI,
                worker + 31 * incarnation);
    }
}
