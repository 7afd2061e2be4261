package io.updraft.cluster.local;

import io.updraft.engine.testing.TestBolt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.stream.Collectors;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Passes tuples on. In the last bolt of the topology, it records at its end which values it has received. */
@SuppressWarnings("serial")
final class ValueRecordingBolt extends TestBolt {
    private final String directory;
    private transient BitSet seen;

    /** Creates a bolt that passes tuples on. */
    ValueRecordingBolt() {
        super("number", "text");
        directory = null;
    }

    /** Creates a bolt that writes to a directory: its worker's port, its tasks in that worker, and what it has seen. */
    ValueRecordingBolt(Path directory) {
        super("number", "text");
        this.directory = directory.toString();
    }

    @Override
    protected void prepared() {
        seen = new BitSet();
    }

    @Override
    public void execute(Tuple tuple) {
        int number = tuple.getIntegerByField("number");
        if (!tuple.getStringByField("text").equals("number " + number)) {
            throw new IllegalStateException("number " + number + " came with text " + tuple.getString(1));
        }
        seen.set(number);
        if (directory == null) {
            out.emit(tuple, new Values(number, "number " + number));
        }
        out.ack(tuple);
    }

    @Override
    public void cleanup() {
        if (directory == null) {
            return;
        }
        try {
            String text = context.getThisWorkerPort() + " " + context.getThisWorkerTasks() + "\n"
                    + seen.stream().mapToObj(Integer::toString).collect(Collectors.joining("\n"));
            Files.writeString(
                    Path.of(directory, "seen-" + context.getThisTaskId()), text, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
