package io.updraft.cluster.local;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the messages about workers, and prints their output.
 *
 * @param told the messages for the user
 */
record HeardLines(List<String> told) implements WorkerOutput {

    HeardLines() {
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
    public void tell(String line) {
        told.add(line);
    }
}
