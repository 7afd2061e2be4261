package io.updraft.cluster.supervised;

import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Settings;
import io.updraft.transport.TransportNames;
import io.updraft.transport.Transports;
import java.util.Map;

/** What Nimbus looks at before it takes a topology: its workers would find the same mistakes later, again and again. */
public final class SubmissionCheck {

    private SubmissionCheck() {}

    /**
     * Checks a configuration.
     *
     * @param conf the topology's whole configuration
     * @throws IllegalArgumentException when workers could not run with it; one line that names the key and the value
     */
    public static void check(Map<String, Object> conf) {
        Settings.of(conf);
        String transport = TransportNames.of(conf).remote();
        if (!Transports.names().contains(transport)) {
            throw new InvalidTopology(TransportNames.REMOTE + " is '" + transport + "': there is no such transport,"
                    + " but there are " + String.join(", ", Transports.names()));
        }
    }
}
