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
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** Writes the fields of control messages; {@link Reader} reads them. */
final class Writer {
    private static final int MOST_CAUSES = 8;
    private static final int MOST_FRAMES = 200;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** Writes one item of a list. */
    @FunctionalInterface
    interface Item<T> {
        void write(T item) throws IOException;
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    void number(int value) throws IOException {
        out.writeInt(value);
    }

    void number(long value) throws IOException {
        out.writeLong(value);
    }

    void flag(boolean value) throws IOException {
        out.writeBoolean(value);
    }

    void octet(int value) throws IOException {
        out.writeByte(value);
    }

    void text(String value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            octets(value.getBytes(StandardCharsets.UTF_8));
        }
    }

    void octets(byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }

    <T> void list(Collection<T> items, Item<T> item) throws IOException {
        out.writeInt(items.size());
        for (T each : items) {
            item.write(each);
        }
    }

    void report(ErrorReport report) throws IOException {
        number(report.timeMillis());
        text(report.componentId());
        number(report.taskId());
        text(report.during());
        failure(report.error(), MOST_CAUSES);
        text(report.consequence());
    }

    private void failure(Throwable error, int causes) throws IOException {
        flag(error != null);
        if (error == null) {
            return;
        }
        text(
                error instanceof WorkerFailure known
                        ? known.type()
                        : error.getClass().getName());
        text(messageOf(error));
        StackTraceElement[] trace = error.getStackTrace();
        int frames = Math.min(trace.length, MOST_FRAMES);
        number(frames);
        for (int i = 0; i < frames; i++) {
            text(trace[i].getClassName());
            text(trace[i].getMethodName());
            text(trace[i].getFileName());
            number(trace[i].getLineNumber());
        }
        failure(causes > 0 && error.getCause() != error ? error.getCause() : null, causes - 1);
    }

    /** Returns the message of a user's exception, whose getMessage may itself fail. */
    private static String messageOf(Throwable error) {
        try {
            return error.getMessage();
        } catch (RuntimeException e) {
            return "getMessage() failed: " + e.getClass().getName();
        }
    }

    void snapshot(EngineSnapshot snapshot) throws IOException {
        number(snapshot.uptimeNanos());
        flag(snapshot.active());
        list(snapshot.components(), this::component);
        list(snapshot.edges(), this::edge);
        number(snapshot.loopBusyNanos().length);
        for (long busy : snapshot.loopBusyNanos()) {
            number(busy);
        }
        number(snapshot.inFlightTrees());
        list(snapshot.recentErrors(), this::report);
    }

    private void component(ComponentSnapshot component) throws IOException {
        text(component.id());
        flag(component.spout());
        number(component.tasks());
        number(component.executors());
        number(component.emitted());
        number(component.transferred());
        number(component.executed());
        number(component.acked());
        number(component.failed());
        number(component.timedOut());
        number(component.busyNanos());
        number(component.queued());
        number(component.inFlight());
        number(component.errors());
        number(component.restarts());
        number(component.deadLettered());
        number(component.ownThreads());
        flag(component.backPressured());
        flag(component.throttled());
        latency(component.executeLatency());
        latency(component.completeLatency());
        list(component.byExecutor(), this::executor);
    }

    private void executor(ExecutorSnapshot executor) throws IOException {
        number(executor.firstTask());
        number(executor.emitted());
        number(executor.transferred());
        number(executor.executed());
        number(executor.acked());
        number(executor.failed());
        number(executor.busyNanos());
        streams(executor.streams());
    }

    private void streams(StreamsSnapshot streams) throws IOException {
        list(streams.outputs(), this::output);
        list(streams.inputs(), this::input);
    }

    private void output(OutputSnapshot output) throws IOException {
        text(output.stream());
        number(output.emitted());
        number(output.transferred());
        number(output.acked());
        number(output.failed());
        sum(output.complete());
    }

    private void input(InputSnapshot input) throws IOException {
        text(input.component());
        text(input.stream());
        number(input.executed());
        number(input.acked());
        number(input.failed());
        sum(input.execute());
        sum(input.process());
    }

    private void sum(LatencySum sum) throws IOException {
        number(sum.count());
        number(sum.nanos());
    }

    private void latency(LatencySummary latency) throws IOException {
        number(latency.count());
        number(latency.p50Nanos());
        number(latency.p99Nanos());
        number(latency.maxNanos());
        number(latency.totalP50Nanos());
        number(latency.totalP99Nanos());
    }

    private void edge(EdgeSnapshot edge) throws IOException {
        text(edge.from());
        text(edge.stream());
        text(edge.to());
        flag(edge.backPressured());
    }
}
