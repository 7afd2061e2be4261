package io.updraft.cluster.supervised;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.ietf.jgss.GSSException;

/** Explains in one line why ZooKeeper, Nimbus or a Supervisor refuses a worker, and what to do. */
final class ClusterRefusals {
    private static final String MORE = "; see 'Secured clusters' in Updraft's docs/storm.md";

    private ClusterRefusals() {}

    /** Returns the explanation of a failure; empty if it is no refusal. */
    static Optional<String> explain(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(ClusterRefusals::explainOne)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static String explainOne(Throwable cause) {
        if (cause instanceof KeeperException refused) {
            return ofZooKeeper(refused);
        }
        if (cause instanceof NimbusLeaderNotFoundException) {
            return "no host of nimbus.seeds is a Nimbus that accepts this worker (" + cause.getMessage()
                    + "). Start Nimbus; if it runs, renew the topology's tokens with 'storm upload-credentials'" + MORE;
        }
        if (isLogin(cause)) {
            return "the topology's credentials have no valid token or Kerberos ticket (" + cause.getMessage()
                    + "). Log in (kinit) and renew them with 'storm upload-credentials', or submit again" + MORE;
        }
        return null;
    }

    private static boolean isLogin(Throwable cause) {
        return cause instanceof LoginException || cause instanceof SaslException || cause instanceof GSSException;
    }

    private static String ofZooKeeper(KeeperException refused) {
        return switch (refused.code()) {
            case NOAUTH ->
                "ZooKeeper refuses " + refused.getPath() + " to this worker (NoAuth; its path may"
                        + " begin below storm.zookeeper.root). Either its ACL lets"
                        + " only daemons read (add world:anyone:r above the topologies' nodes), or it is of another secret"
                        + " than the topology's storm.zookeeper.topology.auth.payload (submit again)" + MORE;
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                "ZooKeeper refuses the login of this worker ("
                        + refused.code() + "). Check the section Client of the worker's java.security.auth.login.config"
                        + MORE;
            case CONNECTIONLOSS, SESSIONEXPIRED, OPERATIONTIMEOUT ->
                "ZooKeeper does not answer (" + refused.code()
                        + "). Check storm.zookeeper.servers and storm.zookeeper.port, and that it runs";
            default -> null;
        };
    }
}
