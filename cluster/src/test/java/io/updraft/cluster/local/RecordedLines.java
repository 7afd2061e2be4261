package io.updraft.cluster.local;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the messages about workers, and prints their output.
 *
 * @param messages the messages for the user
 */
record RecordedLines(List<String> messages) implements WorkerOutput {

    RecordedLines() {
        this(new CopyOnWriteArrayList<>());
    }

    boolean hasMessage(String text) {
        return messages.stream().anyMatch(line -> line.contains(text));
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
        messages.add(line);
    }
}
