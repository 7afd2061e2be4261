package io.updraft.cluster.supervised;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.Subject;
import org.apache.storm.generated.Credentials;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.IAutoCredentials;

/** The credentials of the topology, which Nimbus renews. Used by one thread at a time. */
final class ClusterCredentials {
    private final ClusterConnection cluster;
    private final Collection<IAutoCredentials> plugins;
    private final Subject subject;
    private Map<String, String> current;

    ClusterCredentials(ClusterConnection cluster) {
        this.cluster = cluster;
        this.current = read();
        this.plugins = ClientAuthUtils.getAutoCredentials(cluster.spec().conf());
        this.subject = ClientAuthUtils.populateSubject(null, plugins, current);
    }

    private Map<String, String> read() {
        Credentials stored = cluster.state().credentials(cluster.arguments().topologyId(), null);
        return stored == null ? new HashMap<>() : new HashMap<>(stored.get_creds());
    }

    Subject subject() {
        return subject;
    }

    Map<String, String> current() {
        return current;
    }

    /** Reads the credentials, and updates the subject if they have changed. Returns whether they have changed. */
    boolean refresh() {
        Map<String, String> now = read();
        if (now.equals(current)) {
            return false;
        }
        ClientAuthUtils.updateSubject(subject, plugins, now);
        current = now;
        return true;
    }
}
