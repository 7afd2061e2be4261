package io.updraft.cluster.soak;

import io.updraft.engine.testing.TestSpout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.Values;

/**
 * Emits numbers and replays failed ones. It records a number before it emits it, and records its ack. A new process of the same
 * task therefore finds the numbers in flight, and emits them first.
 */
@SuppressWarnings("serial")
final class SoakSpout extends TestSpout {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String directory;
    private final long pauseNanos;
    private transient int source;
    private transient NumberLog acked;
    private transient ArrayDeque<Long> replays;
    private transient Set<Long> pending;
    private transient long lookAt;
    private transient boolean ending;
    private transient long issuedAt;

    SoakSpout(Path directory, long pauseNanos) {
        super("source", "number", "text");
        this.directory = directory.toString();
        this.pauseNanos = pauseNanos;
    }

    static Path ackedFile(Path directory, int source) {
        return directory.resolve("acked-" + source);
    }

    /** Once this file is there, nothing new is emitted. */
    static Path endFile(Path directory) {
        return directory.resolve("end");
    }

    @Override
    protected void opened() {
        source = context.getThisTaskIndex();
        acked = NumberLog.open(ackedFile(Path.of(directory), source));
        replays = new ArrayDeque<>();
        pending = new HashSet<>();
        lookAt = System.nanoTime();
        issuedAt = lookAt;
        ending = acked.isIssueOver();
        for (long number = 0; number < acked.issued(); number++) {
            if (!acked.isMarked(number)) {
                replays.add(number);
            }
        }
    }

    @Override
    public void nextTuple() {
        Long number = replays.poll();
        if (number == null && !isEnding() && isDue()) {
            number = acked.issue();
        }
        if (number != null) {
            pending.add(number);
            out.emit(new Values(source, number, NumberText.of(source, number)), number);
        }
    }

    private boolean isDue() {
        long now = System.nanoTime();
        if (now - issuedAt < pauseNanos) {
            return false;
        }
        issuedAt = now;
        return true;
    }

    private boolean isEnding() {
        long now = System.nanoTime();
        if (!ending && now - lookAt >= 0) {
            lookAt = now + LOOK_NANOS;
            ending = Files.exists(endFile(Path.of(directory)));
            if (ending) {
                acked.endIssue();
            }
        }
        return ending;
    }

    @Override
    public void ack(Object number) {
        checkPending(number, "was acked");
        acked.mark((Long) number);
    }

    @Override
    public void fail(Object number) {
        checkPending(number, "failed");
        replays.add((Long) number);
    }

    private void checkPending(Object number, String what) {
        if (!pending.remove(number)) {
            throw new IllegalStateException(number + " " + what + " although it was not in flight");
        }
    }
}
