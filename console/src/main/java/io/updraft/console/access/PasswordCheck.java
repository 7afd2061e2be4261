package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.digest.JassPasswordProvider;

/** Admits users with passwords, by HTTP Basic: those of Storm's section {@code StormServer}, as at the port for Nimbus. */
final class PasswordCheck implements ClientCheck {
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY = 429;
    private static final String BASIC = "Basic ";
    private static final String USER = "user_";

    private final JassPasswordProvider passwords;
    private final FailureLimit failures;
    private final LocalPeers peers;

    private PasswordCheck(JassPasswordProvider passwords, FailureLimit failures, LocalPeers peers) {
        this.passwords = passwords;
        this.failures = failures;
        this.peers = peers;
    }

    /**
     * Reads the users of {@code java.security.auth.login.config}. Returns nothing if the configuration names no file, or the
     * file has no users for Storm's servers. Throws, with one line for users, if the file cannot be read.
     */
    static Optional<ClientCheck> of(Map<String, Object> conf, FailureLimit failures, LocalPeers peers)
            throws IOException {
        try {
            Configuration file = ClientAuthUtils.getConfiguration(conf);
            AppConfigurationEntry[] server =
                    file == null ? null : file.getAppConfigurationEntry(ClientAuthUtils.LOGIN_CONTEXT_SERVER);
            boolean users = server != null
                    && Stream.of(server)
                            .flatMap(each -> each.getOptions().keySet().stream())
                            .anyMatch(each -> each.startsWith(USER));
            return users
                    ? Optional.of(new PasswordCheck(new JassPasswordProvider(conf), failures, peers))
                    : Optional.empty();
        } catch (RuntimeException e) {
            throw new IOException(
                    "cannot read the passwords of " + conf.get("java.security.auth.login.config") + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public Client check(HttpQuery query) {
        String authorization = query.header("Authorization");
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return refused("the console needs a name and a password");
        }
        String client = peers.key(query);
        if (failures.isReached(client)) {
            return Client.refused(HttpAnswer.text(TOO_MANY, "too many wrong passwords; try again in a minute\n")
                    .with("Retry-After", "60"));
        }
        String user = user(authorization.substring(BASIC.length()).strip());
        if (user == null) {
            failures.failed(client, "password");
            return refused("the name or the password is wrong");
        }
        return Client.user(user);
    }

    private static Client refused(String why) {
        return Client.refused(HttpAnswer.text(UNAUTHORIZED, why + "\n")
                .with("WWW-Authenticate", "Basic realm=\"Updraft\", charset=\"UTF-8\""));
    }

    /** Returns the user of credentials; null if they are wrong. */
    private String user(String base64) {
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = pair.indexOf(':');
        if (colon <= 0) {
            return null;
        }
        String name = pair.substring(0, colon);
        Optional<char[]> password = passwords.getPasswordFor(name);
        byte[] expected = new String(password.orElse(new char[0])).getBytes(StandardCharsets.UTF_8);
        byte[] given = pair.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given) && password.isPresent() ? name : null;
    }
}
