package io.updraft.messaging;

import io.updraft.base.conf.ConfReader;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.SecurityConf;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;

/**
 * The messaging options of a configuration.
 *
 * @param batchBytes a frame is sent when it has this many bytes, or when the queue is empty
 *     ({@code storm.messaging.netty.transfer.batch.size}, see {@link TransportOptions#BATCH_SIZE})
 * @param queueMessages most messages that wait for one connection ({@code updraft.messaging.queue}, default 16384)
 * @param queueBytes bytes of messages after which no more are queued ({@code storm.messaging.netty.buffer_size}, default 5 MiB)
 * @param fullNanos how long a sender waits while the queue of an open connection is full, nanoseconds
 *     ({@code updraft.messaging.full.wait.ms}, default 5 s)
 * @param flushNanos how long closing waits for queued messages, nanoseconds ({@code storm.messaging.netty.flush_timeout_ms},
 *     but at most 5 s)
 * @param sendMetrics whether counts of connections are registered as metrics ({@code topology.enable.send.iconnection.metrics})
 */
record MessagingSettings(
        int batchBytes, int queueMessages, int queueBytes, long fullNanos, long flushNanos, boolean sendMetrics) {

    static final String QUEUE = "updraft.messaging.queue";
    static final String FULL_WAIT = "updraft.messaging.full.wait.ms";
    static final String ALLOW_UNAUTHENTICATED = "updraft.messaging.allow.unauthenticated";
    static final String BIND = "updraft.messaging.bind";

    private static final int MIN_QUEUE = 4;
    private static final int DEFAULT_QUEUE = 16_384;
    private static final int DEFAULT_FULL_MS = 5_000;
    private static final int MAX_FLUSH_MS = 5_000;

    static MessagingSettings of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        long flush =
                reader.nanosOfMillis(Config.STORM_MESSAGING_NETTY_FLUSH_TIMEOUT_MS, MAX_FLUSH_MS, 0, Integer.MAX_VALUE);
        return new MessagingSettings(
                TransportOptions.frameBytes(conf),
                reader.integer(QUEUE, DEFAULT_QUEUE, MIN_QUEUE, Integer.MAX_VALUE),
                TransportOptions.of(conf).bufferBytes(),
                reader.nanosOfMillis(FULL_WAIT, DEFAULT_FULL_MS, 0, Integer.MAX_VALUE),
                Math.min(flush, TimeUnit.MILLISECONDS.toNanos(MAX_FLUSH_MS)),
                reader.flag(Config.TOPOLOGY_ENABLE_SEND_ICONNECTION_METRICS, true));
    }

    static MessengerOptions options(Map<String, Object> conf, PeerIdentity self) {
        return MessengerOptions.of(conf, self, SecurityConf.credentials(conf))
                .withAllowUnauthenticated(allowsUnauthenticated(conf));
    }

    /**
     * Returns what to do when listening without a secret is refused, with the keys of this configuration; empty if there is a
     * secret.
     */
    static String hint(Map<String, Object> conf) {
        return SecurityConf.credentials(conf).secret().isPresent()
                ? ""
                : " (the secret is " + Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD + ", the address is " + BIND
                        + ", and " + ALLOW_UNAUTHENTICATED + ": true allows to run without a secret)";
    }

    /** Returns the address to listen on: all addresses if a secret or TLS protects the topology. */
    static String bindHost(Map<String, Object> conf) {
        Object wish = conf.get(BIND);
        if (wish != null) {
            return wish.toString();
        }
        // Without a secret, only a cluster on one host is safe. Such a cluster sets its host name to a loopback name;
        // the session refuses to listen on any other. It also refuses TLS without certificates at both ends.
        boolean isProtected = SecurityConf.credentials(conf).secret().isPresent()
                || TransportOptions.of(conf).wantsTls()
                || allowsUnauthenticated(conf);
        return isProtected ? "0.0.0.0" : ownHost();
    }

    /** Returns the identity of this worker. A later start of the worker has a higher incarnation. */
    static PeerIdentity worker(String topology, int port) {
        return new PeerIdentity(topology, number(ownHost(), port), System.currentTimeMillis());
    }

    /** Returns the identity of a process that only connects. Its number is random, because no process connects to it. */
    static PeerIdentity client(String topology) {
        return new PeerIdentity(topology, ThreadLocalRandom.current().nextInt(), System.currentTimeMillis());
    }

    /**
     * Returns the number by which peers identify a worker. Storm identifies workers by host and port. Two of n workers have the
     * same number with a probability of n * n / 2^33: one in a million for a hundred workers.
     */
    static int number(String host, int port) {
        int hash = (host + ":" + port).hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 16;
    }

    /** Returns the name under which this host's Supervisor has registered, found in the same way and from the same file. */
    private static String ownHost() {
        try {
            return Utils.hostname();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "cannot find the name of this host: set " + Config.STORM_LOCAL_HOSTNAME + " in storm.yaml", e);
        }
    }

    private static boolean allowsUnauthenticated(Map<String, Object> conf) {
        return new ConfReader(conf).flag(ALLOW_UNAUTHENTICATED, false);
    }
}
