package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import io.updraft.transport.memory.MemoryConnection;
import io.updraft.transport.memory.MemoryNetwork;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random offers, releases, polls and faults, compared with what a session promises: {@link ModelEnd} has the model. A failure
 * names its seed, and one seed is one run.
 */
final class ModelTest {

    private static final int SEEDS = 300;
    private static final int STEPS = 600;
    private static final int CREDIT = 6_000;

    private int cuts;
    private int silences;
    private int framesInParts;
    private int delivered;
    private int lostForReal;
    private int refusedOffers;

    @Test
    void shouldKeepItsPromisesWhateverHappens() throws TransportException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(cuts).as("cuts").isGreaterThan(SEEDS);
        assertThat(silences).as("half-open connections").isGreaterThan(SEEDS / 4);
        assertThat(framesInParts).as("frames in parts").isGreaterThan(SEEDS);
        assertThat(delivered).as("frames delivered").isGreaterThan(20 * SEEDS);
        assertThat(lostForReal).as("frames lost").isGreaterThan(SEEDS);
        assertThat(refusedOffers).as("offers refused").isGreaterThan(SEEDS);
    }

    private void run(long seed) throws TransportException {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedSessions world = new SimulatedSessions(new MemoryNetwork(seed, 1024, 3_000, 2_000));
        ModelEnd near = new ModelEnd(CREDIT);
        ModelEnd far = new ModelEnd(CREDIT);
        near.other = far;
        far.other = near;
        Messenger listener = world.messenger(
                SimulatedSessions.options(new PeerIdentity("t", 2, 1), SimulatedSessions.SECRET, CREDIT));
        Messenger connector = world.messenger(
                SimulatedSessions.options(new PeerIdentity("t", 1, 1), SimulatedSessions.SECRET, CREDIT));
        listener.listen(SimulatedSessions.HERE, peer -> far);
        connector.connect(SimulatedSessions.HERE, 2, near);
        for (int step = 0; step < STEPS; step++) {
            act(random, world, random.nextBoolean() ? near : far, random.nextBoolean() ? listener : connector);
            near.check();
            far.check();
        }
        heal(world, near, far);
        near.checkLosses();
        far.checkLosses();
        count(near, far);
    }

    private void act(SplittableRandom random, SimulatedSessions world, ModelEnd end, Messenger messenger) {
        int dice = random.nextInt(1000);
        if (dice < 400) {
            messenger.doWork();
        } else if (dice < 700) {
            end.offer(random.nextInt(20) == 0 ? random.nextInt(3 * CREDIT) : random.nextInt(1_500));
        } else if (dice < 850) {
            end.release(random);
        } else if (dice < 950) {
            world.now += random.nextLong(60 * SimulatedSessions.MILLI);
        } else if (!world.network.connections().isEmpty()) {
            disturb(dice, random, world, world.network.lastConnection());
        }
    }

    private void disturb(int dice, SplittableRandom random, SimulatedSessions world, MemoryConnection connection) {
        if (dice < 965) {
            connection.cut();
            cuts++;
        } else if (dice < 970) {
            connection.halfOpen();
            silences++;
        } else if (dice < 980) {
            (random.nextBoolean() ? connection.toConnector() : connection.toListener()).deliver(random.nextInt(3));
        } else if (dice < 985) {
            world.network.refuse(SimulatedSessions.HERE, random.nextBoolean());
        } else if (dice < 988) {
            connection.toListener().inject(new byte[] {(byte) random.nextInt(256), 1, 2});
        } else {
            connection.toConnector().deliver(Integer.MAX_VALUE);
            connection.toListener().deliver(Integer.MAX_VALUE);
        }
    }

    /** Ends all disturbance: then both directions must work again, and all that was taken must arrive. */
    private void heal(SimulatedSessions world, ModelEnd near, ModelEnd far) {
        world.network.refuse(SimulatedSessions.HERE, false);
        world.network.lastConnection().cut();
        near.releaseAll();
        far.releaseAll();
        world.pass(3_000);
        for (ModelEnd end : new ModelEnd[] {near, far}) {
            int before = end.other.received();
            world.passUntil(() -> {
                end.other.releaseAll(); // also what was still under way
                return end.offer(2_000);
            });
            world.passUntil(() -> end.other.received() > before);
        }
    }

    private void count(ModelEnd near, ModelEnd far) {
        for (ModelEnd end : new ModelEnd[] {near, far}) {
            framesInParts += end.framesInParts;
            delivered += end.received();
            lostForReal += end.lostForReal();
            refusedOffers += end.refusedOffers;
        }
    }
}
