package io.updraft.transport.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.MessengerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Three workers, each with a session to each other, that talk all the time; and what goes wrong with them. */
final class ChaosNetwork implements AutoCloseable {

    private static final int WORKERS = 3;
    /** Frames that must arrive in each direction that is not disturbed, to say that life goes on. */
    private static final int SIGN_OF_LIFE = 10;

    private final ChaosContract contract;
    private final SplittableRandom random;
    private final Map<String, MessageLedger> ledgers = new TreeMap<>();
    private final ChaosWorker[] workers = new ChaosWorker[WORKERS];
    private final Address[] addresses = new Address[WORKERS];
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<String> history = new ArrayList<>();
    private final ForeignSockets unauthenticatedPeers;

    ChaosNetwork(ChaosContract contract, long seed, int longest) throws Exception {
        this.contract = contract;
        random = new SplittableRandom(seed);
        byte[] filler = MessageLedger.filler(longest);
        for (int from = 0; from < WORKERS; from++) {
            for (int to = 0; to < WORKERS; to++) {
                String name = name(from, to);
                ledgers.put(name, new MessageLedger(name, seed + ledgers.size(), longest, filler));
            }
        }
        unauthenticatedPeers = new ForeignSockets(contract.transport());
        // From the last, since each connects to those after it.
        for (int number = WORKERS - 1; number >= 0; number--) {
            workers[number] =
                    new ChaosWorker(number, WORKERS, contract.port(), to -> addresses[to], new EachLife(number));
            addresses[number] = workers[number].begin();
        }
        awaitSignsOfLife(-1);
    }

    private static String name(int from, int to) {
        return "worker " + from + " to " + to;
    }

    private final class EachLife implements ChaosWorker.Life {

        private final int number;

        EachLife(int number) {
            this.number = number;
        }

        @Override
        public FaultyTransport transport() throws TransportException {
            return new FaultyTransport(contract.transport(), ContractFixture.BUFFER, violations::add);
        }

        @Override
        public MessengerOptions options(long incarnation) {
            return ChaosContract.options(number, incarnation, ChaosContract.CREDIT, contract.silenceMillis());
        }

        @Override
        public ChaosEnd end(int peer) {
            return new ChaosEnd(
                    ledgers.get(name(number, peer)),
                    ledgers.get(name(peer, number)),
                    ChaosContract.CREDIT,
                    violations::add);
        }
    }

    /** Does something bad, and waits until those who have nothing to do with it, and at last all, have got over it. */
    void strike() throws Exception {
        long start = System.nanoTime();
        int victim = random.nextInt(WORKERS);
        ChaosWorker worker = workers[victim];
        switch (random.nextInt(8)) {
            case 0, 1 -> cut(worker);
            case 2 -> mute(worker);
            case 3 -> stop(worker);
            case 4 -> hold(worker);
            case 5 -> kill(worker);
            case 6 -> knock(victim);
            default -> {
                for (ChaosWorker each : workers) {
                    cut(each);
                }
            }
        }
        awaitSignsOfLife(-1);
        history.set(
                history.size() - 1,
                history.get(history.size() - 1) + " " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    private void cut(ChaosWorker worker) throws Exception {
        note("cut", worker.number);
        worker.disturb(transport -> transport.cut(random));
    }

    private void mute(ChaosWorker worker) throws Exception {
        note("mute", worker.number);
        worker.disturb(transport -> transport.mute(random));
    }

    /** For a moment, or until its silence is noticed. */
    private void stop(ChaosWorker worker) throws Exception {
        boolean forLong = random.nextBoolean();
        note(forLong ? "stop for long" : "stop", worker.number);
        worker.stop(true);
        awaitSignsOfLife(worker.number);
        if (forLong) {
            until("its silence is noticed", () -> others(worker).allMatch(end -> !end.isOpen()));
        }
        worker.stop(false);
    }

    private Stream<ChaosEnd> others(ChaosWorker worker) {
        return Stream.of(workers)
                .filter(other -> other != worker)
                .map(other -> other.ends().get(worker.number));
    }

    /** Works off nothing, until nobody can send to it any more. */
    private void hold(ChaosWorker worker) throws Exception {
        note("hold", worker.number);
        worker.ends().values().forEach(end -> end.holding = true);
        until("who sends to it is stuck", () -> others(worker).allMatch(ChaosEnd::isStuck));
        awaitSignsOfLife(worker.number);
        worker.ends().values().forEach(end -> end.holding = false);
    }

    private void kill(ChaosWorker worker) throws Exception {
        note("kill", worker.number);
        worker.kill();
        awaitSignsOfLife(worker.number);
        worker.begin();
    }

    private void knock(int at) throws Exception {
        note("knock at", at);
        unauthenticatedPeers.keepSilent(addresses[at], contract.manyStrangers() / 2);
        unauthenticatedPeers.talk(addresses[at], contract.manyStrangers() / 2, random);
        switch (contract.rawPort()) {
            case TCP -> unauthenticatedPeers.connectRaw(addresses[at], contract.manyStrangers(), random);
            case UDP -> ForeignSockets.sendRaw(addresses[at], 10 * contract.manyStrangers(), random);
            default -> {
                // Nobody else can reach it.
            }
        }
    }

    private void note(String what, int victim) {
        history.add(what + " " + victim);
    }

    /** Ends all disturbance; then all that was taken and not reported as lost must arrive. */
    void settle() throws Exception {
        unauthenticatedPeers.awaitTheirEnd();
        for (ChaosWorker worker : workers) {
            worker.ends().values().forEach(end -> end.silent = true);
        }
        until("all that was taken is there", () -> {
            violations.forEach(violation -> assertThat(violation).isNull());
            try {
                ledgers.values().forEach(MessageLedger::check);
                return true;
            } catch (AssertionError notYet) {
                return false;
            }
        });
        ledgers.values().forEach(MessageLedger::check);
        for (ForeignSockets.Stranger unauthenticatedPeer : unauthenticatedPeers.channels()) {
            assertThat(unauthenticatedPeer.violations()).isEmpty();
        }
    }

    /** Waits until frames have arrived in each direction between all workers but one, or all of them. */
    private void awaitSignsOfLife(int but) throws Exception {
        List<MessageLedger> lively = new ArrayList<>();
        for (int from = 0; from < WORKERS; from++) {
            for (int to = 0; to < WORKERS; to++) {
                if (from != to && from != but && to != but) {
                    lively.add(ledgers.get(name(from, to)));
                }
            }
        }
        long[] before = lively.stream().mapToLong(MessageLedger::arrived).toArray();
        for (int i = 0; i < before.length; i++) {
            MessageLedger ledger = lively.get(i);
            long least = before[i] + SIGN_OF_LIFE;
            until(ledger.name + " goes on", () -> ledger.arrived() >= least);
        }
    }

    private void until(String what, BooleanSupplier condition) throws Exception {
        Await.until(
                what,
                Duration.ofSeconds(TransportOwner.DEADLINE_SECONDS),
                () -> condition.getAsBoolean() || isBroken(),
                () -> {
                    ledgers.values().forEach(MessageLedger::check);
                    return "";
                });
    }

    /** Fails if a rule of the contract was broken. */
    private boolean isBroken() throws Exception {
        assertThat(violations).isEmpty();
        for (ChaosWorker worker : workers) {
            if (worker != null) {
                worker.check();
            }
        }
        return false;
    }

    List<String> history() {
        return history;
    }

    String summary() {
        long arrived =
                ledgers.values().stream().mapToLong(MessageLedger::arrived).sum();
        long lost = ledgers.values().stream().mapToLong(MessageLedger::lost).sum();
        long eras = ledgers.values().stream().mapToLong(MessageLedger::eras).sum();
        return history + ", " + arrived + " frames arrived, " + lost + " lost with " + eras + " channels' ends";
    }

    @Override
    public void close() throws IOException {
        for (ChaosWorker worker : workers) {
            if (worker != null) {
                worker.close();
            }
        }
        unauthenticatedPeers.close();
    }
}
