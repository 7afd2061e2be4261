package io.updraft.cluster.soak;

import io.updraft.engine.testing.TestBolt;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.tuple.Tuple;

/** Records which parts of which numbers it has received, before it acks them. */
@SuppressWarnings("serial")
final class NumberRecordingBolt extends TestBolt {
    private final String directory;
    private transient int witness;
    private transient Map<Integer, NumberLog> seen;

    NumberRecordingBolt(Path directory) {
        this.directory = directory.toString();
    }

    static Path seenFile(Path directory, int witness, int source) {
        return directory.resolve("seen-" + witness + "-" + source);
    }

    @Override
    protected void prepared() {
        witness = context.getThisTaskIndex();
        seen = new HashMap<>();
        OwnMemory.record(Path.of(directory));
    }

    @Override
    public void execute(Tuple tuple) {
        int source = tuple.getInteger(0);
        long number = tuple.getLong(1);
        int part = tuple.getInteger(2);
        if (!tuple.getString(3).equals(NumberText.of(source, number))) {
            throw new IllegalStateException("number " + number + " of source " + source + " came with a wrong text of "
                    + tuple.getString(3).length() + " characters");
        }
        seen.computeIfAbsent(source, each -> NumberLog.open(seenFile(Path.of(directory), witness, each)))
                .mark(SoakSplitBolt.PARTS * number + part);
        out.ack(tuple);
    }
}
