package io.updraft.console.access;

import static io.updraft.console.access.AccessQueries.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.http.HttpAnswer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for one request, without sockets. */
class ConsoleRulesTest {
    private final AtomicLong clock = new AtomicLong();
    private final LocalPeers peers = new LocalPeers(Path.of("/etc/passwd"));
    private final FailureLimit failures = new FailureLimit(clock::get);

    private static UiSettings settings(String host, List<String> names) {
        return new UiSettings(true, true, 0, host, List.of(), names, false, null, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                // Clients that are no browsers, and addresses that a user types.
                "GET; /; -; -; 200",
                "GET; /api/v1; -; -; 200",
                "POST; /act; -; -; 200",
                "GET; /; Sec-Fetch-Site: none | Sec-Fetch-Mode: navigate | Sec-Fetch-Dest: document; -; 200",
                "GET; /api/v1; Sec-Fetch-Site: none | Sec-Fetch-Mode: navigate; -; 200",
                // The console's own page.
                "GET; /app.js; Sec-Fetch-Site: same-origin | Sec-Fetch-Mode: no-cors; -; 200",
                "POST; /act; Origin: http://localhost:8080 | Sec-Fetch-Site: same-origin | Content-Type: application/json; {}; 200",
                "POST; /act; Origin: http://localhost:8080 | Content-Type: application/json;-; 200",
                "POST; /act; Origin: http://LocalHost | Host: localhost; -; 200",
                // A link to the start page, and nothing else, from another site.
                "GET; /; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: navigate | Sec-Fetch-Dest: document; -; 200",
                "GET; /; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: navigate | Sec-Fetch-Dest: iframe; -; 403",
                "GET; /; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: no-cors; -; 403",
                "GET; /api/v1; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: navigate | Sec-Fetch-Dest: document; -; 403",
                "GET; /app.js; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: no-cors; -; 403",
                "GET; /app.js; Sec-Fetch-Site: same-site | Sec-Fetch-Mode: no-cors; -; 403",
                "HEAD; /app.js; Sec-Fetch-Site: cross-site; -; 403",
                "GET; /api/v1; Origin: http://evil.example; -; 403",
                "POST; /; Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: navigate | Sec-Fetch-Dest: document; -; 403",
                // Actions of other sites: other host, port or scheme; an opaque origin; two origins.
                "POST; /act; Origin: http://evil.example; -; 403",
                "POST; /act; Origin: http://localhost:9090; -; 403",
                "POST; /act; Origin: https://localhost:8080; -; 403",
                "POST; /act; Origin: null; -; 403",
                "POST; /act; Origin: http://localhost:8080,http://evil.example; -; 403",
                "POST; /act; Sec-Fetch-Site: same-site; -; 403",
                "POST; /act; Sec-Fetch-Site: cross-site; -; 403",
                "OPTIONS; /act; Origin: http://evil.example; -; 403",
                "DELETE; /act; Origin: http://evil.example; -; 403",
                // Bodies that a form can send.
                "POST; /act; Content-Type: text/plain; {}; 415",
                "POST; /act; Content-Type: application/x-www-form-urlencoded; a=b; 415",
                "POST; /act; Content-Type: application/jsonp; {}; 415",
                "POST; /act; -; {}; 415",
            })
    void shouldJudgeTheSite(String method, String path, String headers, String body, int status) {
        HttpAnswer refusal = new SiteCheck(false).refusal(query(method, path, headers, body));
        assertThat(refusal == null ? 200 : refusal.status()).isEqualTo(status);
    }

    @Test
    void shouldExpectTheSchemeOfTls() {
        SiteCheck tls = new SiteCheck(true);
        assertThat(tls.refusal(query("POST", "/", "Origin: https://localhost:8080", null)))
                .isNull();
        assertThat(tls.refusal(query("POST", "/", "Origin: http://localhost:8080", null)))
                .isNotNull();
        String json = "Content-Type: Application/JSON; charset=utf-8";
        assertThat(tls.refusal(query("POST", "/", json, "{}"))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:8080, 200",
        "127.0.0.1:9, 200",
        "[::1]:8080, 200",
        "192.0.2.1:8080, 200",
        "console.example, 200",
        "Proxy.Example:443, 200",
        "evil.example, 421",
        "localhost.evil.example, 421",
        "localhost., 421",
        "192.0.2.2, 421",
        "localhost:8080:8080, 421",
        "'localhost,evil.example', 421",
        "[::1, 421",
        "[fe80::1], 421",
        "'', 421",
        ":8080, 421",
    })
    void shouldKnowTheNamesOfThisHost(String host, int status) throws Exception {
        HostNames names = new HostNames(
                settings("console.example", List.of("proxy.example")), InetAddress.getByName("192.0.2.1"));
        HttpAnswer refusal = names.refusal(query("GET", "/", "Host: " + host, null));
        assertThat(refusal == null ? 200 : refusal.status()).isEqualTo(status);
        if (refusal != null) {
            assertThat(new String(refusal.body())).contains("--ui-name").hasLineCount(1);
        }
    }

    @Test
    void shouldTakeTheTokenFromTheAddressTheHeaderAndTheCookie() {
        String token = TokenCheck.newToken();
        assertThat(token).hasSize(32).isNotEqualTo(TokenCheck.newToken());
        TokenCheck check = new TokenCheck(token, false, failures, peers);
        HttpAnswer login = check.check(query("GET", "/?a=b&token=" + token + "&c", null, null))
                .answer();
        assertThat(login.status()).isEqualTo(303);
        assertThat(login.headers())
                .containsEntry("Location", "/?a=b&c")
                .containsEntry("Set-Cookie", "updraft-console-8080=" + token + "; Path=/; HttpOnly; SameSite=Strict");
        HttpAnswer secure = new TokenCheck(token, true, failures, peers)
                .check(query("GET", "/?token=" + token, null, null))
                .answer();
        assertThat(secure.headers()).containsEntry("Location", "/");
        assertThat(secure.headers().get("Set-Cookie")).endsWith("; Secure");
        for (String header : List.of(
                "Authorization: Bearer " + token,
                "Authorization: bearer " + token,
                "Cookie: updraft-console-8080=" + token,
                "Cookie: a=b; updraft-console-8080=" + token + "; c=d")) {
            assertThat(check.check(query("POST", "/act", header, null))).isEqualTo(ClientCheck.Client.user("token"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept: any",
                "Authorization: Bearer wrong",
                "Authorization: Bearer ",
                "Authorization: Basic dG9rZW46dG9rZW4=",
                "Cookie: updraft-console-8080=wrong",
                "Cookie: updraft-console-8081=TOKEN",
                "Cookie: xupdraft-console-8080=TOKEN",
            })
    void shouldRefuseWithoutTheToken(String header) {
        String token = TokenCheck.newToken();
        TokenCheck check = new TokenCheck(token, false, failures, peers);
        ClientCheck.Client client = check.check(query("GET", "/", header.replace("TOKEN", token), null));
        assertThat(client.user()).isNull();
        assertThat(client.answer().status()).isEqualTo(401);
    }

    /** Otherwise any page could act by a form whose address has the token. */
    @Test
    void shouldTakeTheTokenOfAnAddressOnlyForTheStartPage() {
        TokenCheck check = new TokenCheck("secret", false, failures, peers);
        assertThat(check.check(query("POST", "/?token=secret", null, null))
                        .answer()
                        .status())
                .isEqualTo(401);
        assertThat(check.check(query("GET", "/api?token=secret", null, null))
                        .answer()
                        .status())
                .isEqualTo(401);
        assertThat(check.check(query("GET", "/?token=wrong", null, null))
                        .answer()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void shouldLimitWrongTokensForAMinuteAndAdmitTheRightOne() {
        TokenCheck check = new TokenCheck("secret", false, failures, peers);
        for (int i = 0; i < FailureLimit.MAX_FAILURES; i++) {
            assertThat(check.check(query("GET", "/", "Authorization: Bearer x", null))
                            .answer()
                            .status())
                    .isEqualTo(401);
        }
        assertThat(check.check(query("GET", "/", "Authorization: Bearer x", null))
                        .answer()
                        .status())
                .isEqualTo(429);
        assertThat(failures.isReached("192.0.2.8")).isFalse();
        assertThat(check.check(query("GET", "/", "Authorization: Bearer secret", null))
                        .answer())
                .isNull();
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(check.check(query("GET", "/", "Authorization: Bearer x", null))
                        .answer()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void shouldForgetTheOldestOfManyClients() {
        for (int client = 0; client < 5_000; client++) {
            for (int i = 0; i < FailureLimit.MAX_FAILURES; i++) {
                failures.failed("client " + client, "token");
            }
        }
        assertThat(failures.isReached("client 0")).isFalse();
        assertThat(failures.isReached("client 4999")).isTrue();
    }

    @Test
    void shouldEscapeAndShorten() {
        assertThat(AuditLog.shortened("a\nb\u00e9\u001b[31m", 500)).isEqualTo("a\\nb\\u00e9\\u001b[31m");
        assertThat(AuditLog.shortened("x".repeat(501), 500)).isEqualTo("x".repeat(500) + "...");
        assertThat(AuditLog.shortened("xxx\n", 4)).isEqualTo("xxx...");
    }
}
