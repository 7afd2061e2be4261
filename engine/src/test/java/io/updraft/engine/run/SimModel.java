package io.updraft.engine.run;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.EngineSettings.OnError;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.SimTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.storm.tuple.Tuple;

/**
 * The guarantees of Storm in their simplest form: the tuples that were sent, the message of each tuple, and the acks and fails
 * that a spout may receive. The components of a simulation report every call to the model. The model does not depend on the
 * engine.
 */
final class SimModel {

    /** A message may count as emitted at the beginning of a turn that took no more than this share of the timeout. */
    private static final int SLACK = 16;

    private record Sender(int task, String stream, int thread) {}

    private record Edge(Sender sender, int target) {}

    private final Plan plan;
    private final EngineSettings settings;
    private final SimTopology topology;
    private final SimClock clock;
    private final SimTrace trace;

    private final List<SimInstance> instances = new ArrayList<>();
    private final List<SimMessage> messages = new ArrayList<>();
    private final List<SimSent> sent = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<Sender, Integer> numbers = new HashMap<>();
    private final Map<Edge, Integer> lastArrived = new HashMap<>();
    private final Map<Integer, Integer> messageNumbers = new HashMap<>();
    private final Map<Long, Integer> failures = new HashMap<>();
    private int ackedLate;
    private int losses;
    private boolean mute;

    SimModel(Plan plan, EngineSettings settings, SimTopology topology, SimClock clock, SimTrace trace) {
        this.plan = plan;
        this.settings = settings;
        this.topology = topology;
        this.clock = clock;
        this.trace = trace;
    }

    /** Hears of no more violations. */
    void mute() {
        mute = true;
    }

    void violation(String what) {
        if (mute) {
            return;
        }
        trace.remark(() -> "VIOLATION: " + what);
        violations.add(what);
    }

    void check(boolean holds, String what, Object about) {
        if (!holds) {
            violation(what + ": " + about);
        }
    }

    List<String> violations() {
        return violations;
    }

    // -------------------------------------------------------------------------------------------------- instances

    SimInstance opening(String component, int task) {
        for (SimInstance other : instances) {
            if (other.task == task) {
                check(other.dead || other.closed, "a second instance while the first is alive", other);
                other.dead = true;
            }
        }
        SimInstance instance = new SimInstance(component, task);
        instances.add(instance);
        return instance;
    }

    void called(SimInstance instance) {
        check(
                instance.opened && !instance.dead && !instance.closed,
                "a call of an instance that is not open",
                instance);
    }

    /** The instance is about to throw. */
    void throwing(SimInstance instance, String during) {
        trace.note("throws in " + during, instance.task, 0);
        if (settings.onError() == OnError.RESTART || !instance.opened) {
            instance.dead = true;
        }
    }

    void closing(SimInstance instance) {
        trace.note("closes", instance.task, 0);
        check(instance.opened, "close of an instance that was not open", instance);
        check(!instance.closed, "a second close", instance);
        instance.closed = true;
    }

    void told(SimInstance spout, boolean active) {
        trace.note(active ? "activates" : "deactivates", spout.task, 0);
        check(spout.opened && !spout.closed, "activate or deactivate of an instance that is not open", spout);
        check(spout.active != active, "activate or deactivate a second time", spout);
        spout.active = active;
        spout.inert = false;
    }

    /** It threw when it was told that it is to begin, so it must not be told to stop. */
    void notActivated(SimInstance spout) {
        spout.active = false;
        spout.inert = true;
    }

    void allAreClosed() {
        for (SimInstance instance : instances) {
            check(!instance.opened || instance.closed || instance.killed, "never closed", instance);
        }
    }

    // -------------------------------------------------------------------------------------------------- losses

    /** A process is gone, with the instances of some tasks. */
    void killed(List<Integer> tasks) {
        for (SimInstance instance : instances) {
            if (tasks.contains(instance.task)) {
                instance.dead = true;
                instance.killed = true;
            }
        }
        failures.keySet().removeIf(key -> tasks.contains((int) (key >>> 32)));
    }

    /**
     * Something may be lost of all that is on its way.
     *
     * @param noticed whether others will hear of it: then what is in flight is to fail, unless it can complete first
     */
    void lost(boolean noticed) {
        losses++;
        if (noticed) {
            messages.stream()
                    .filter(message -> isPending(message) && message.underWay)
                    .forEach(message -> message.struck = true);
        }
        for (SimSent one : sent) {
            one.struck |= one.targets == null || one.arrived.size() < one.targets.size();
        }
    }

    /** All that is in flight of the spouts of some tasks is to fail, unless it has completed. */
    void failedOpen(List<Integer> tasks) {
        messages.stream()
                .filter(message -> isPending(message) && tasks.contains(message.from.task))
                .forEach(message -> {
                    message.mayGo = true;
                    message.struck |= message.underWay;
                });
    }

    /** Whether a message may fail without a fault of its own: it may have been emitted after a loss of which nobody knew yet. */
    private boolean mayBeStruck(SimMessage message) {
        return losses > 0 || message.mayGo;
    }

    // --------------------------------------------------------------------------------------------------- emitting

    SimMessage message(SimInstance spout, SimMessage replayOf) {
        SimMessage message = replayOf == null
                ? new SimMessage(spout, messageNumbers.merge(spout.task, 1, Integer::sum), 0, clock.now())
                : new SimMessage(spout, replayOf.number, replayOf.attempt + 1, clock.now());
        messages.add(message);
        return message;
    }

    SimSent sending(int task, String stream, int thread, List<SimReceived> anchors, SimMessage message) {
        List<SimMessage> trees = new ArrayList<>();
        int hops = 0;
        if (message != null) {
            trees.add(message);
        }
        for (SimReceived anchor : anchors) {
            if (!anchor.settled && anchor.sent != null) {
                anchor.sent.trees.forEach(tree -> addIfNew(trees, tree));
            }
            hops = Math.max(hops, anchor.hops() + 1);
        }
        int number = numbers.merge(new Sender(task, stream, thread), 1, Integer::sum);
        trace.note("sends", task, number);
        trace.note("by", thread, 0);
        SimSent one = new SimSent(task, stream, thread, number, hops, trees);
        trees.forEach(tree -> tree.emitting++);
        // What another thread emits is in flight from the spout's next turn on.
        trees.forEach(tree -> tree.underWay |= thread == 0);
        sent.add(one);
        return one;
    }

    /** By identity: a replay equals its message but has a tree of its own. */
    private static void addIfNew(List<SimMessage> trees, SimMessage message) {
        if (trees.stream().noneMatch(tree -> tree == message)) {
            trees.add(message);
        }
    }

    void sent(SimSent one, List<Integer> targets) {
        one.targets = List.copyOf(targets);
        for (SimMessage tree : one.trees) {
            tree.emitting--;
            tree.tuples += targets.size();
        }
        trace.remark(() -> "sent " + one + " in " + one.trees);
        for (int target : targets) {
            trace.note("to", one.task, target);
        }
    }

    /** Acks for messages that had failed already. */
    int ackedLate() {
        return ackedLate;
    }

    int sentSoFar() {
        return sent.size();
    }

    // -------------------------------------------------------------------------------------------------- receiving

    SimReceived received(int task, Tuple tuple) {
        Object body = tuple.getValueByField(
                topology.letters() != null && tuple.contains("messageId") ? "messageId" : SimTopology.SENT);
        if (body instanceof SimMessage letter) {
            trace.note("letter", task, letter.number);
            check(letter.givenUp, "a dead letter of a message that was not given up", letter);
            letter.lettersReceived++;
            check(letter.lettersReceived <= letter.letters, "too many dead letters", letter);
            return new SimReceived(tuple, null, letter);
        }
        SimSent from = (SimSent) body;
        trace.note("receives", task, from.number);
        from.arrived.add(task);
        from.trees.forEach(tree -> tree.underWay = true);
        check(tuple.getSourceTask() == from.task, "wrong source task", from);
        check(tuple.getSourceStreamId().equals(from.stream), "wrong stream", from);
        Edge edge = new Edge(new Sender(from.task, from.stream, from.thread), task);
        Integer last = lastArrived.put(edge, from.number);
        check(last == null || last <= from.number, "out of order at task " + task + " after " + last, from);
        return new SimReceived(tuple, from, null);
    }

    /** The component is about to ack or fail a tuple, or to throw at it. */
    void settling(SimReceived received, boolean ok) {
        trace.note(
                ok ? "acks" : "fails",
                received.sent == null ? -1 : received.sent.number,
                received.tuple.getSourceTask());
        if (received.settled) {
            return;
        }
        received.settled = true;
        trace.remark(() -> (ok ? "acks " : "fails ") + received.sent + ", letter of " + received.letterOf);
        if (received.letterOf != null) {
            received.letterOf.lettersAcked += ok ? 1 : 0;
            received.letterOf.letterFailed |= !ok;
            return;
        }
        for (SimMessage tree : received.sent.trees) {
            if (ok && tree.state != SimMessage.State.OPEN) {
                ackedLate++;
            }
            tree.acked += ok ? 1 : 0;
            tree.failed |= !ok;
        }
    }

    // ------------------------------------------------------------------------------------- what the spout is told

    void acked(SimInstance spout, SimMessage message) {
        trace.note("acked", spout.task, message.number);
        told(spout, message);
        message.state = SimMessage.State.ACKED;
        if (!settings.acking()) {
            return;
        }
        boolean whole = message.givenUp ? message.isLetterWhole() : message.isWhole();
        check(whole, "acked although not all of its tree was acked", message);
        failures.remove(message.key());
    }

    void failed(SimInstance spout, SimMessage message) {
        trace.note("failed", spout.task, message.number);
        told(spout, message);
        message.state = SimMessage.State.FAILED;
        check(settings.acking(), "failed without ackers", message);
        if (message.givenUp) {
            check(
                    message.letterFailed || isExpired(message.givenUpAt) || mayBeStruck(message),
                    "dead letter failed without a reason",
                    message);
            return;
        }
        check(
                message.failed || isExpired(message.emittedAt) || mayBeStruck(message),
                "failed without a reason, age " + age(message),
                message);
        int count = failures.merge(message.key(), 1, Integer::sum);
        check(settings.maxReplays() == 0 || count <= settings.maxReplays(), "replayed too often", message);
    }

    private void told(SimInstance spout, SimMessage message) {
        check(message.state == SimMessage.State.OPEN, "acked or failed a second time", message);
        check(message.from == spout, "told to another instance, " + spout, message);
        check(!spout.dead && !spout.closed, "told to a dead instance", message);
    }

    private boolean isExpired(long since) {
        return settings.timeouts() && clock.now() - since >= settings.timeoutNanos() - settings.timeoutNanos() / SLACK;
    }

    private String age(SimMessage message) {
        return (clock.now() - message.emittedAt) / 1_000_000 + " ms";
    }

    void givenUp(int task, SimMessage message, int count) {
        trace.note("given up", task, message.number);
        check(message.state == SimMessage.State.OPEN && !message.givenUp, "given up but not in flight", message);
        check(
                message.failed || isExpired(message.emittedAt) || mayBeStruck(message),
                "given up without a failure",
                message);
        check(count == failures.getOrDefault(message.key(), 0) + 1, "given up after " + count + " failures", message);
        check(count > settings.maxReplays() && settings.maxReplays() > 0, "given up too early", message);
        failures.remove(message.key());
        message.givenUp = true;
        // That was what came of it; from now on the letter may be lost.
        message.struck = false;
        message.mayGo = false;
        message.givenUpAt = clock.now();
        message.letters = letterCount();
    }

    private int letterCount() {
        if (topology.letters() == null) {
            return 0;
        }
        return topology.letters() == SimTopology.Kind.ALL
                ? plan.component(SimTopology.LETTERS).taskIds().length
                : 1;
    }

    // ---------------------------------------------------------------------------------------------------- at rest

    /**
     * Nothing is under way: what could be told was told, and what was sent has arrived.
     *
     * @param waits whether emits of other threads wait in a task's executor until less is pending
     */
    void atRest(IntPredicate waits) {
        for (SimInstance instance : instances) {
            check(!instance.active || instance.dead || instance.closed, "not told that it is to stop", instance);
        }
        for (SimSent one : sent) {
            // Without ackers an ack that throws ends the emit that it is called in.
            check(one.targets != null || !settings.acking(), "an emit that did not return", one);
            // In the queue of its spout it is not in flight yet, and nothing of it can be lost.
            boolean waiting = one.thread != 0 && one.arrived.isEmpty() && waits.test(one.task);
            if (one.struck) {
                check(isPart(one), "twice, or not where it was sent", one);
                check(waiting || !isMissed(one), "a tuple was lost, and the spout was not told", one);
            } else {
                check(
                        waiting || one.targets == null || sorted(one.targets).equals(sorted(one.arrived)),
                        "not where it was sent",
                        one);
            }
        }
        for (SimMessage message : messages) {
            if (isPending(message)) {
                check(!message.struck, "something was lost, and the spout was not told", message);
                boolean due = message.givenUp
                        ? message.isLetterWhole() || message.letterFailed
                        : message.isWhole() || message.failed;
                boolean waiting = !message.underWay && waits.test(message.from.task);
                check(!due || waiting, "the spout was not told", message);
            }
        }
    }

    /** Whether not all has arrived, and a spout still waits for it. */
    private boolean isMissed(SimSent one) {
        return one.targets != null
                && one.arrived.size() < one.targets.size()
                && one.trees.stream().anyMatch(tree -> isPending(tree) && !tree.givenUp);
    }

    private static boolean isPart(SimSent one) {
        List<Integer> left = new ArrayList<>(one.targets == null ? List.of() : one.targets);
        return one.targets == null || one.arrived.stream().allMatch(left::remove);
    }

    private static List<Integer> sorted(List<Integer> tasks) {
        return tasks.stream().sorted().toList();
    }

    /** Whether the spout has still to hear of a message. */
    private boolean isPending(SimMessage message) {
        return message.state == SimMessage.State.OPEN && !message.from.dead && !message.from.closed;
    }

    boolean arePending(List<Integer> tasks) {
        return messages.stream().anyMatch(message -> isPending(message) && tasks.contains(message.from.task));
    }

    int pending(int[] tasks) {
        return (int) messages.stream()
                .filter(this::isPending)
                .filter(message -> Arrays.binarySearch(tasks, message.from.task) >= 0)
                .count();
    }

    void nothingIsPending() {
        messages.stream().filter(this::isPending).forEach(message -> violation("never acked nor failed: " + message));
    }
}
