package io.updraft.storm.thrift;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of this host who may connect to a port that has no authentication. A client that can connect to Nimbus can run code
 * as the user of this process. A port on the loopback address therefore needs this check too.
 *
 * <p>Safe to use from any thread.
 */
public final class AllowedUsers {
    private static final Logger LOG = LoggerFactory.getLogger(AllowedUsers.class);

    private static final String ANYBODY = "*";
    private static final int ROOT = 0;
    private static final long LOG_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final AllowedUsers ALL = new AllowedUsers(null, null, null, null);

    /** Null if every client may connect. */
    private final Set<Integer> uids;

    private final List<String> names;
    private final String key;
    private final PeerUser peers;

    /** The time of the next log line about a refusal: refused clients cannot fill the log. Of {@link System#nanoTime()}. */
    private final AtomicLong nextLog = new AtomicLong(System.nanoTime());

    private AllowedUsers(Set<Integer> uids, List<String> names, String key, PeerUser peers) {
        this.uids = uids;
        this.names = names;
        this.key = key;
        this.peers = peers;
    }

    /**
     * Reads the users who may connect. Without the setting, every client may connect if clients authenticate themselves, or if
     * the port is not on the loopback address: another address has to be configured on purpose. Otherwise only the user of this
     * process and root may connect. Throws, with one line for users, if a user does not exist, or this system does not report
     * the user of a connection.
     */
    public static AllowedUsers of(
            Map<String, Object> conf, String key, InetSocketAddress address, boolean authenticated) throws IOException {
        List<String> named = named(conf, key);
        boolean open = authenticated || !address.getAddress().isLoopbackAddress();
        if (named.isEmpty() ? open : named.contains(ANYBODY)) {
            return ALL;
        }
        PeerUser peers = PeerUser.ofThisHost()
                .orElseThrow(() -> new IOException("this system does not report which user connects to port "
                        + address.getPort() + ": set " + key
                        + " to '*' to let every client connect, or require passwords"));
        return of(named, key, peers);
    }

    /**
     * Allows the user of this process and root; allows every client on a system that does not report the user of a connection.
     */
    public static AllowedUsers own() throws IOException {
        Optional<PeerUser> peers = PeerUser.ofThisHost();
        return peers.isPresent() ? own(peers.get()) : ALL;
    }

    static AllowedUsers own(PeerUser peers) throws IOException {
        return of(List.of(), null, peers);
    }

    private static AllowedUsers of(List<String> named, String key, PeerUser peers) throws IOException {
        int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Set<Integer> uids = new TreeSet<>(List.of(ROOT, own));
        Set<String> names = new TreeSet<>(List.of("root", System.getProperty("user.name")));
        for (String name : named) {
            uids.add(idOf(name, key));
            names.add(name);
        }
        return new AllowedUsers(uids, List.copyOf(names), key, peers);
    }

    private static List<String> named(Map<String, Object> conf, String key) {
        Object value = conf.get(key);
        Collection<?> items = value instanceof Collection<?> list
                ? list
                : value == null ? List.of() : List.of(value.toString().split(","));
        List<String> names = new ArrayList<>();
        items.forEach(item -> names.add(String.valueOf(item).strip()));
        names.removeIf(String::isEmpty);
        return names;
    }

    /** Resolves a user's name as the system does, which may use a directory service. */
    private static int idOf(String name, String key) throws IOException {
        if (name.matches("\\d{1,9}")) {
            return Integer.parseInt(name);
        }
        Process id = new ProcessBuilder("id", "-u", "--", name)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            id.getOutputStream().close();
            String printed = new String(id.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            if (id.waitFor(30, TimeUnit.SECONDS) && id.exitValue() == 0) {
                return Integer.parseInt(printed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            id.destroyForcibly();
        }
        throw new IOException(key + ": there is no user '" + name + "' on this host");
    }

    /** Returns why a peer may not connect; null if it may. Logs at most one refusal a minute. */
    public String refusal(InetSocketAddress peer, InetSocketAddress own) {
        String refusal = uids == null ? null : refusalOfOthers(peer, own);
        long next = nextLog.get();
        long now = System.nanoTime();
        if (refusal != null && now - next >= 0 && nextLog.compareAndSet(next, now + LOG_EVERY_NANOS)) {
            LOG.warn("{}", refusal);
        }
        return refusal;
    }

    private String refusalOfOthers(InetSocketAddress peer, InetSocketAddress own) {
        OptionalInt uid;
        try {
            uid = peers.of(peer, own);
        } catch (IOException e) {
            return "cannot determine which user connects from " + peer + " (" + e + ")";
        }
        if (uid.isPresent() && uids.contains(uid.getAsInt())) {
            return null;
        }
        String who = uid.isPresent()
                ? "user id " + Integer.toUnsignedString(uid.getAsInt())
                : "the client at " + peer.getAddress().getHostAddress();
        return who + " may not connect to port " + own.getPort() + " of " + System.getProperty("user.name")
                + (key == null ? "" : "; " + key + " names the users who may");
    }

    public boolean allowsEveryone() {
        return uids == null;
    }

    /** Returns the users who may connect, for a log line at the start; null if every client may. */
    public String describe() {
        return uids == null ? null : String.join(" and ", names);
    }
}
