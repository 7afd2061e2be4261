package io.updraft.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The settings of a runtime for a run.
 *
 * @param conf the runtime's configuration, in addition to the shape's and the user's
 */
record PeerSettings(String name, Map<String, Object> conf) {

    static final PeerSettings DEFAULTS = new PeerSettings("defaults", Map.of());

    /** Returns these settings with further ones. */
    PeerSettings with(String more, Map<String, Object> values) {
        Map<String, Object> all = new LinkedHashMap<>(conf);
        all.putAll(values);
        return new PeerSettings(name + ", " + more, all);
    }

    /** {@return the settings of Flink used without tuning: two instances of each operator} */
    static PeerSettings flink(String version) {
        return flink(version, 2);
    }

    /**
     * {@return the settings of Flink that tuning tries: one and two instances of each operator, with network buffers of the
     * default size and with larger ones}
     */
    static List<PeerSettings> flinkCandidates(String version) {
        Map<String, Object> large = Map.of("taskmanager.memory.segment-size", "128kb");
        return Stream.of(1, 2)
                .map(parallelism -> flink(version, parallelism))
                .flatMap(settings -> Stream.of(settings, settings.with("segments 128kb", large)))
                .toList();
    }

    private static PeerSettings flink(String version, int parallelism) {
        return new PeerSettings(
                version + ", no checkpoints, parallelism " + parallelism, Map.of("parallelism.default", parallelism));
    }
}
