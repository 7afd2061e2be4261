package io.updraft.cluster.local;

import io.updraft.engine.testing.TestSpout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.apache.storm.tuple.Values;

/**
 * Emits numbers, replays failed ones, and records in a file when each was acked. It emits a given count; or, if a file is
 * given, at least that count and further numbers until the file exists.
 */
@SuppressWarnings("serial")
final class ReplayingSpout extends TestSpout {
    private final int messages;
    private final String done;
    private final String enough;
    private transient ArrayDeque<Integer> failed;
    private transient Set<Integer> pending;
    private transient int next;
    private transient boolean over;

    /** Emits so many. */
    ReplayingSpout(int messages, Path done) {
        this(messages, done, null);
    }

    /** Emits so many, and then on until a file is there. */
    ReplayingSpout(int messages, Path done, Path enough) {
        super("number", "text");
        this.messages = messages;
        this.done = done.toString();
        this.enough = enough == null ? null : enough.toString();
    }

    @Override
    protected void opened() {
        failed = new ArrayDeque<>();
        pending = new HashSet<>();
    }

    @Override
    public void nextTuple() {
        Integer number = failed.poll();
        if (number == null && !isOver()) {
            number = next++;
        }
        if (number != null) {
            pending.add(number);
            out.emit(new Values(number, "number " + number), number);
        }
    }

    private boolean isOver() {
        if (!over && next >= messages && (enough == null || Files.exists(Path.of(enough)))) {
            over = true;
            sayIfDone();
        }
        return over;
    }

    @Override
    public void ack(Object number) {
        if (!pending.remove(number)) {
            throw new IllegalStateException(number + " was acked although it was not in flight");
        }
        sayIfDone();
    }

    private void sayIfDone() {
        if (!over || !pending.isEmpty() || !failed.isEmpty()) {
            return;
        }
        try {
            Files.writeString(Path.of(done), "all");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void fail(Object number) {
        if (!pending.remove(number)) {
            throw new IllegalStateException(number + " failed although it was not in flight");
        }
        failed.add((Integer) number);
    }
}
