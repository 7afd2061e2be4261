package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Admits clients that know a random token. The start page with the parameter {@code token} stores it as a cookie. A right token
 * is admitted however many wrong ones there are: nobody can guess it.
 */
final class TokenCheck implements ClientCheck {
    private static final int TOKEN_BYTES = 24;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY = 429;
    private static final String PARAMETER = "token";
    private static final String BEARER = "Bearer ";
    private static final Client TOKEN = Client.user("token");

    private final String token;
    private final boolean secure;
    private final FailureLimit failures;
    private final LocalPeers peers;

    /** A secure cookie is sent only by TLS. */
    TokenCheck(String token, boolean secure, FailureLimit failures, LocalPeers peers) {
        this.token = token;
        this.secure = secure;
        this.failures = failures;
        this.peers = peers;
    }

    /** Returns a new token of 192 bits. */
    static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    @Override
    public Client check(HttpQuery query) {
        String parameter = query.parameter(PARAMETER);
        boolean login = parameter != null && query.path().equals("/") && !query.isAction();
        String shown = login ? parameter : shown(query);
        if (shown == null) {
            return Client.refused(HttpAnswer.text(
                            UNAUTHORIZED, "open the address with ?token= that the run printed when it started\n")
                    .with("WWW-Authenticate", "Bearer"));
        }
        if (isToken(shown)) {
            return login ? new Client(TOKEN.user(), startPage(query)) : TOKEN;
        }
        String client = peers.key(query);
        if (failures.isReached(client)) {
            return Client.refused(HttpAnswer.text(TOO_MANY, "too many wrong tokens; try again in a minute\n")
                    .with("Retry-After", "60"));
        }
        failures.failed(client, "token");
        return Client.refused(HttpAnswer.text(
                        UNAUTHORIZED, "the token is wrong: each run has a new one, and prints it when it starts\n")
                .with("WWW-Authenticate", "Bearer"));
    }

    private boolean isToken(String shown) {
        return MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the token of the header for scripts, or of the cookie; null if there is none. */
    private static String shown(HttpQuery query) {
        String authorization = query.header("Authorization");
        if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return authorization.substring(BEARER.length()).strip();
        }
        String name = cookie(query) + "=";
        return Stream.of(query.header("Cookie").split("[;,]"))
                .map(String::strip)
                .filter(each -> each.startsWith(name))
                .map(each -> each.substring(name.length()))
                .findFirst()
                .orElse(null);
    }

    /** Two consoles of one host have two ports, and browsers share cookies between ports. */
    private static String cookie(HttpQuery query) {
        return "updraft-console-" + query.local().getPort();
    }

    private HttpAnswer startPage(HttpQuery query) {
        String parameters = Stream.of(query.rawParameters().split("&"))
                .filter(each -> !each.isEmpty() && !each.equals(PARAMETER) && !each.startsWith(PARAMETER + "="))
                .collect(Collectors.joining("&"));
        return HttpAnswer.redirect(parameters.isEmpty() ? "/" : "/?" + parameters)
                .with(
                        "Set-Cookie",
                        cookie(query) + "=" + token + "; Path=/; HttpOnly; SameSite=Strict"
                                + (secure ? "; Secure" : ""));
    }
}
