package io.updraft.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Flink settings that an experienced user would try for the word count in one process. */
final class FlinkSettings {

    private static final String PARALLELISM = "parallelism.default";
    private static final String SEGMENT_SIZE = "taskmanager.memory.segment-size";
    private static final String LARGE_SEGMENT = "128kb";

    private FlinkSettings() {}

    /**
     * Returns the settings used without tuning: two instances of each operator.
     *
     * @param version Flink's version, which the description names
     */
    static PeerSettings usual(String version) {
        return of(version, 2);
    }

    /**
     * Returns the settings that tuning tries: one and two instances of each operator, with network buffers of the default size
     * and with larger ones.
     *
     * @param version Flink's version, which the descriptions name
     */
    static List<PeerSettings> candidates(String version) {
        List<PeerSettings> all = new ArrayList<>();
        for (int parallelism : List.of(1, 2)) {
            PeerSettings settings = of(version, parallelism);
            all.add(settings);
            all.add(settings.with("segments " + LARGE_SEGMENT, Map.of(SEGMENT_SIZE, LARGE_SEGMENT)));
        }
        return all;
    }

    private static PeerSettings of(String version, int parallelism) {
        return new PeerSettings(
                version + ", no checkpoints, parallelism " + parallelism, Map.of(PARALLELISM, parallelism));
    }
}
