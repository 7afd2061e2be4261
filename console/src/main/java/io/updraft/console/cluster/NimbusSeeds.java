package io.updraft.console.cluster;

import io.updraft.base.exit.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * Opens connections to the leader among the Nimbus daemons of a cluster, by Storm's own client and its security plug-ins. Only the
 * leader knows where executors run, and only the leader takes orders. If there is but one seed, and the leader that the seed names
 * cannot be reached under its address, the connection is to the seed.
 */
public final class NimbusSeeds implements NimbusOpener {
    /** Storm's default port of Nimbus. */
    static final int DEFAULT_PORT = 6627;

    private static final int MAX_PORT = 65_535;

    /** How long one of several daemons may take to name the leader, milliseconds. */
    private static final int PROBE_MILLIS = 4_000;

    private final Map<String, Object> conf;
    private final List<Seed> seeds;
    private final int timeoutMillis;

    /** The index of the seed that has answered last. */
    private volatile int answering;

    private NimbusSeeds(Map<String, Object> conf, List<Seed> seeds, Duration timeout) {
        this.conf = conf;
        this.seeds = seeds;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    private record Seed(String host, int port) {
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

    /** Asks the seed first that has answered last: one that hangs costs its limit only once. */
    @Override
    public Connection open() throws TException {
        Map<String, TException> failures = new LinkedHashMap<>();
        int first = answering;
        for (int i = 0; i < seeds.size(); i++) {
            int index = (first + i) % seeds.size();
            Seed seed = seeds.get(index);
            if (failures.containsKey(seed.toString())) {
                continue; // It was the leader that another one has named.
            }
            try {
                NimbusSummary leader = leader(seed);
                answering = index;
                return toLeader(seed, leader, failures);
            } catch (TException e) {
                failures.put(seed.toString(), e);
            }
        }
        throw new NimbusUnavailableException(failures);
    }

    private Connection toLeader(Seed seed, NimbusSummary named, Map<String, TException> failures) throws TException {
        Seed leader = new Seed(named.get_host(), named.get_port());
        if (leader.equals(seed)) {
            return connection(seed, leader);
        }
        try {
            if (failures.containsKey(leader.toString())) {
                throw failures.get(leader.toString());
            }
            NimbusSummary confirmed = leader(leader);
            if (!leader.equals(new Seed(confirmed.get_host(), confirmed.get_port()))) {
                throw new NoLeaderException(null);
            }
            return connection(leader, leader);
        } catch (TException e) {
            failures.put(leader.toString(), e);
            if (seeds.size() == 1 && !(e instanceof NoLeaderException)) {
                // A tunnel leads to the leader, most likely: its own address is that of another network.
                return connection(seed, leader);
            }
            throw e instanceof NoLeaderException ? e : new NoLeaderException(leader.toString(), e);
        }
    }

    /** Returns the leader that a daemon names. A daemon that has lost its leadership without noticing hangs: it gets less time. */
    private NimbusSummary leader(Seed seed) throws TException {
        int limit = seeds.size() == 1 ? timeoutMillis : Math.min(timeoutMillis, PROBE_MILLIS);
        try (NimbusClient client = connect(seed, limit)) {
            return client.getClient().getLeader();
        } catch (TApplicationException e) {
            // So does Thrift report a null.
            throw e.getType() == TApplicationException.MISSING_RESULT ? new NoLeaderException(e) : e;
        }
    }

    private Connection connection(Seed seed, Seed leader) throws TException {
        NimbusClient client = connect(seed, timeoutMillis);
        return new Connection(client.getClient(), ClusterJson.name(leader.host, leader.port), client::close);
    }

    private NimbusClient connect(Seed seed, int limitMillis) throws TException {
        try {
            return NimbusClient.Builder.withConf(conf)
                    .withTimeout(limitMillis)
                    .buildWithNimbusHostPort(seed.host, seed.port);
        } catch (RuntimeException e) {
            // So does Storm report a failure of a security plug-in.
            throw new TTransportException(e);
        }
    }
}
