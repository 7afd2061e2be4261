package io.updraft.cluster.local;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.ExecutorSnapshot;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.LatencySum;
import io.updraft.engine.metrics.LatencySummary;
import io.updraft.engine.metrics.OutputSnapshot;
import io.updraft.engine.metrics.StreamsSnapshot;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads values that {@link Writer} has written. Checks each length against the remaining bytes before it allocates. */
final class Reader {
    private static final int MOST_CAUSES = 16;

    private final ByteBuffer in;

    Reader(ByteBuffer in) {
        this.in = in;
    }

    /** Reads one item of a list. */
    @FunctionalInterface
    interface Item<T> {
        T read() throws IOException;
    }

    int remaining() {
        return in.remaining();
    }

    int number() throws IOException {
        need(Integer.BYTES);
        return in.getInt();
    }

    long longNumber() throws IOException {
        need(Long.BYTES);
        return in.getLong();
    }

    boolean flag() throws IOException {
        return octet() != 0;
    }

    int octet() throws IOException {
        need(1);
        return in.get() & 0xff;
    }

    String text() throws IOException {
        return flag() ? new String(octets(), StandardCharsets.UTF_8) : null;
    }

    byte[] octets() throws IOException {
        byte[] value = new byte[length()];
        in.get(value);
        return value;
    }

    <T> List<T> list(Item<T> item) throws IOException {
        int size = length();
        List<T> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(item.read());
        }
        return items;
    }

    /** Reads a length. Every item of a list takes at least one byte, so a length cannot exceed the remaining bytes. */
    private int length() throws IOException {
        int length = number();
        if (length < 0 || length > in.remaining()) {
            throw new IOException(
                    "a control message announces " + length + " bytes, but only " + in.remaining() + " are left");
        }
        return length;
    }

    private void need(int bytes) throws IOException {
        if (in.remaining() < bytes) {
            throw new IOException("a control message is truncated", new BufferUnderflowException());
        }
    }

    ErrorReport report() throws IOException {
        return new ErrorReport(longNumber(), text(), number(), text(), failure(MOST_CAUSES), text());
    }

    private WorkerFailure failure(int causes) throws IOException {
        if (!flag()) {
            return null;
        }
        if (causes == 0) {
            throw new IOException("a control message has a failure with too many causes");
        }
        String type = text();
        String message = text();
        List<StackTraceElement> trace = list(this::frame);
        WorkerFailure cause = failure(causes - 1);
        return new WorkerFailure(String.valueOf(type), message, cause, trace.toArray(StackTraceElement[]::new));
    }

    private StackTraceElement frame() throws IOException {
        return new StackTraceElement(String.valueOf(text()), String.valueOf(text()), text(), number());
    }

    EngineSnapshot snapshot() throws IOException {
        return new EngineSnapshot(
                longNumber(),
                flag(),
                list(this::component),
                list(this::edge),
                list(this::longNumber).stream().mapToLong(Long::longValue).toArray(),
                longNumber(),
                list(this::report));
    }

    private ComponentSnapshot component() throws IOException {
        return new ComponentSnapshot(
                text(),
                flag(),
                number(),
                number(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                number(),
                flag(),
                flag(),
                latency(),
                latency(),
                list(this::executor));
    }

    private ExecutorSnapshot executor() throws IOException {
        return new ExecutorSnapshot(
                number(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                longNumber(),
                streams());
    }

    private StreamsSnapshot streams() throws IOException {
        return new StreamsSnapshot(list(this::output), list(this::input));
    }

    private OutputSnapshot output() throws IOException {
        return new OutputSnapshot(text(), longNumber(), longNumber(), longNumber(), longNumber(), sum());
    }

    private InputSnapshot input() throws IOException {
        return new InputSnapshot(text(), text(), longNumber(), longNumber(), longNumber(), sum(), sum());
    }

    private LatencySum sum() throws IOException {
        return new LatencySum(longNumber(), longNumber());
    }

    private LatencySummary latency() throws IOException {
        return new LatencySummary(longNumber(), longNumber(), longNumber(), longNumber(), longNumber(), longNumber());
    }

    private EdgeSnapshot edge() throws IOException {
        return new EdgeSnapshot(text(), text(), text(), flag());
    }
}
