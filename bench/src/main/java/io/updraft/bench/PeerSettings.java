package io.updraft.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a runtime for a run.
 *
 * @param name a short description
 * @param conf the runtime's configuration, in addition to the shape's and the user's
 */
record PeerSettings(String name, Map<String, Object> conf) {

    /** The settings of Updraft. */
    static final PeerSettings DEFAULTS = new PeerSettings("defaults", Map.of());

    /**
     * Returns these settings with further ones.
     *
     * @param more the description of the further settings
     */
    PeerSettings with(String more, Map<String, Object> values) {
        Map<String, Object> all = new LinkedHashMap<>(conf);
        all.putAll(values);
        return new PeerSettings(name + ", " + more, all);
    }
}
