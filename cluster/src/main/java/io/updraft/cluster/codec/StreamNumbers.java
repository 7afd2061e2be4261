package io.updraft.cluster.codec;

import io.updraft.engine.tuple.Origin;
import java.util.Arrays;

/**
 * The numbers given to the streams of this connection. Keyed by task and stream name, not by {@link Origin}, because a task
 * that is created again gets new origins.
 */
final class StreamNumbers {

    static final int NONE = -1;

    private record Entry(String stream, int number) {}

    private static final Entry[] NOTHING = {};

    /** By task. A task has few streams, so each list is searched from its start. */
    private final Entry[][] byTask;

    private int count;

    StreamNumbers(int tasks) {
        byTask = new Entry[tasks][];
        clear();
    }

    void clear() {
        Arrays.fill(byTask, NOTHING);
        count = 0;
    }

    int find(Origin origin) {
        String stream = origin.streamId();
        for (Entry entry : byTask[origin.taskId()]) {
            if (entry.stream.equals(stream)) {
                return entry.number;
            }
        }
        return NONE;
    }

    int add(Origin origin) {
        int task = origin.taskId();
        Entry[] entries = Arrays.copyOf(byTask[task], byTask[task].length + 1);
        entries[entries.length - 1] = new Entry(origin.streamId(), count);
        byTask[task] = entries;
        return count++;
    }
}
