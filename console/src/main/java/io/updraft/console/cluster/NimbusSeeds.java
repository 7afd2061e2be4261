package io.updraft.console.cluster;

import io.updraft.base.exit.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * Opens connections to the leader among the Nimbus daemons of a cluster, by Storm's own client and its security plug-ins. If the
 * leader cannot be reached under the address that it gives, the connection is to the daemon that gave it.
 */
public final class NimbusSeeds implements NimbusOpener {
    /** Storm's default port of Nimbus. */
    static final int DEFAULT_PORT = 6627;

    private static final int MAX_PORT = 65_535;

    private final Map<String, Object> conf;
    private final List<Seed> seeds;
    private final int timeoutMillis;

    private NimbusSeeds(Map<String, Object> conf, List<Seed> seeds, Duration timeout) {
        this.conf = conf;
        this.seeds = seeds;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    private record Seed(String host, int port) {
        boolean is(NimbusSummary other) {
            return host.equals(other.get_host()) && port == other.get_port();
        }

        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * Returns the daemons of a cluster.
     *
     * @param settings Storm's settings, without its defaults
     * @param named addresses {@code HOST[:PORT]}; if there is none, {@code nimbus.seeds} of the settings counts
     * @param timeout the limit of connecting, and of each call
     * @throws UserError when there is no address, or one is not valid
     */
    public static NimbusSeeds of(Map<String, Object> settings, List<String> named, Duration timeout) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(settings);
        // The console tries again by itself.
        conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 0);
        List<String> addresses = new ArrayList<>(named);
        if (addresses.isEmpty() && settings.get(Config.NIMBUS_SEEDS) instanceof List<?> seeds) {
            seeds.forEach(seed -> addresses.add(String.valueOf(seed)));
        }
        if (addresses.isEmpty()) {
            throw new UserError("ui: which cluster? Add --nimbus HOST[:PORT], or --config with nimbus.seeds", null);
        }
        boolean tls = ObjectReader.getBoolean(conf.get(Config.NIMBUS_THRIFT_CLIENT_USE_TLS), false);
        int port = ObjectReader.getInt(
                conf.get(tls ? Config.NIMBUS_THRIFT_TLS_PORT : Config.NIMBUS_THRIFT_PORT), DEFAULT_PORT);
        return new NimbusSeeds(
                conf, addresses.stream().map(text -> seed(text, port)).toList(), timeout);
    }

    private static Seed seed(String text, int port) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        boolean hasPort = bracketed ? colon > text.indexOf(']') : colon >= 0 && colon == text.indexOf(':');
        String host = hasPort ? text.substring(0, colon) : text;
        host = bracketed && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        int number = hasPort ? portOf(text.substring(colon + 1)) : port;
        if (host.isBlank() || number < 1 || number > MAX_PORT) {
            throw new UserError("ui: '" + text + "' is not HOST or HOST:PORT of a Nimbus", null);
        }
        return new Seed(host, number);
    }

    private static int portOf(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public String address() {
        return seeds.stream().map(Seed::toString).collect(Collectors.joining(", "));
    }

    @Override
    public Connection open() throws TException {
        TException failure = null;
        for (Seed seed : seeds) {
            try {
                return connection(leader(seed, connect(seed.host, seed.port)));
            } catch (TException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static Connection connection(NimbusClient client) {
        return new Connection(client.getClient(), client::close);
    }

    private NimbusClient connect(String host, int port) throws TException {
        try {
            return NimbusClient.Builder.withConf(conf)
                    .withTimeout(timeoutMillis)
                    .buildWithNimbusHostPort(host, port);
        } catch (RuntimeException e) {
            // So does Storm report a failure of a security plug-in.
            throw new TTransportException(e);
        }
    }

    private NimbusClient leader(Seed seed, NimbusClient client) throws TException {
        NimbusSummary leader;
        try {
            leader = client.getClient().getLeader();
        } catch (TTransportException e) {
            client.close();
            throw e;
        } catch (TException e) {
            // There is no leader at the moment: the others answer what can be read.
            return client;
        }
        if (seed.is(leader)) {
            return client;
        }
        try {
            NimbusClient toLeader = connect(leader.get_host(), leader.get_port());
            client.close();
            return toLeader;
        } catch (TException e) {
            return client;
        }
    }
}
