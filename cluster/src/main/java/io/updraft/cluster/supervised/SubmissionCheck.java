package io.updraft.cluster.supervised;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.transport.TransportNames;
import io.updraft.transport.Transports;
import java.util.Map;

/**
 * Checks a topology's configuration in Nimbus before it is accepted. Otherwise each worker would fail with the same error,
 * again and again.
 */
public final class SubmissionCheck {
    private SubmissionCheck() {}

    /**
     * Checks a configuration.
     *
     * @param conf the topology's whole configuration
     * @throws IllegalArgumentException when workers cannot run with it; the message is one line that names the key and the
     *     value
     */
    public static void check(Map<String, Object> conf) {
        EngineSettings.of(conf);
        String transport = TransportNames.of(conf).remote();
        if (!Transports.names().contains(transport)) {
            throw new InvalidTopology(TransportNames.REMOTE + " is '" + transport + "': there is no such transport;"
                    + " the transports are " + String.join(", ", Transports.names()));
        }
    }
}
