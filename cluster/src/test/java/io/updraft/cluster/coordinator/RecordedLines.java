package io.updraft.cluster.coordinator;

import io.updraft.cluster.process.WorkerOutput;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the messages about workers, and prints their output.
 *
 * @param told the messages for the user
 */
record RecordedLines(List<String> told) implements WorkerOutput {

    RecordedLines() {
        this(new CopyOnWriteArrayList<>());
    }

    boolean wasTold(String text) {
        return told.stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public void out(String line) {
        System.out.println(line);
    }

    @Override
    public void err(String line) {
        System.out.println(line);
    }

    @Override
    public void message(String line) {
        told.add(line);
    }
}
