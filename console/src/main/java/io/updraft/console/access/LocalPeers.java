package io.updraft.console.access;

import io.updraft.http.HttpQuery;
import io.updraft.storm.thrift.PeerUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names the users of this host who send requests. Safe to use from any thread. */
final class LocalPeers {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPeers.class);
    private static final int UID = 2;

    private final Optional<PeerUser> peers = PeerUser.ofThisHost();
    private final Path passwd;
    private final Map<Integer, String> descriptions = new ConcurrentHashMap<>();

    /** Takes names from a file such as {@code /etc/passwd}. */
    LocalPeers(Path passwd) {
        this.passwd = passwd;
    }

    /** Returns the user who sends a request, such as {@code alice (uid 1000)}; null if unknown. */
    String describe(HttpQuery query) {
        OptionalInt uid = uid(query);
        return uid.isPresent() ? descriptions.computeIfAbsent(uid.getAsInt(), this::description) : null;
    }

    /** Returns what refused attempts of a client are counted by: its user on this host, or its address. */
    String key(HttpQuery query) {
        OptionalInt uid = query.peer().getAddress().isLoopbackAddress() ? uid(query) : OptionalInt.empty();
        return uid.isPresent()
                ? "uid " + Integer.toUnsignedString(uid.getAsInt())
                : query.peer().getAddress().getHostAddress();
    }

    private OptionalInt uid(HttpQuery query) {
        try {
            return peers.isPresent() ? peers.get().of(query.peer(), query.local()) : OptionalInt.empty();
        } catch (IOException e) {
            LOG.debug("cannot determine the user of {}", query.peer(), e);
            return OptionalInt.empty();
        }
    }

    private String description(int uid) {
        String number = "uid " + Integer.toUnsignedString(uid);
        try {
            for (String line : Files.readAllLines(passwd, StandardCharsets.ISO_8859_1)) {
                String[] fields = line.split(":");
                if (fields.length > UID && fields[UID].equals(Integer.toUnsignedString(uid))) {
                    return fields[0] + " (" + number + ")";
                }
            }
        } catch (IOException e) {
            LOG.debug("cannot read {}", passwd, e);
        }
        return number;
    }
}
