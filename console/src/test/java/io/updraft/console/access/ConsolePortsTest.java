package io.updraft.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpPort;
import io.updraft.http.HttpRoute;
import java.io.IOException;
import java.net.HttpCookie;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's port with real clients. */
@Tag("one-jdk")
class ConsolePortsTest {
    private static final UiSettings LOCAL =
            new UiSettings(true, true, 0, null, List.of(), List.of(), false, null, null);
    private static final UiSettings EVERYWHERE = at("0.0.0.0");
    private static final int READ_MILLIS = 20_000;

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> lines = new ArrayList<>();
    private final AtomicInteger actions = new AtomicInteger();
    private HttpPort port;

    @AfterEach
    void close() {
        if (port != null) {
            port.close();
        }
    }

    private static UiSettings at(String host) {
        return new UiSettings(true, true, 0, host, List.of(), List.of(), false, null, null);
    }

    private static UiSettings users(String host, String... users) {
        return new UiSettings(true, true, 0, host, List.of(users), List.of(), false, null, null);
    }

    private void open(UiSettings settings, Map<String, Object> conf) throws IOException {
        Map<String, HttpRoute> routes = Map.of(
                "/", HttpRoute.get(query -> HttpAnswer.text(200, "start for " + query.user())),
                "/act", HttpRoute.post(query -> HttpAnswer.text(200, "action " + actions.incrementAndGet())));
        port = ConsolePorts.open(settings, conf, routes, lines::add).orElse(null);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path))
                .timeout(Duration.ofMillis(READ_MILLIS));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private int act(String... headers) throws Exception {
        HttpRequest.Builder request = request("/act").POST(BodyPublishers.noBody());
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString())
                .statusCode();
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port())) {
            socket.setSoTimeout(READ_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String rawFromNobody(String request) throws Exception {
        String script = "exec 3<>/dev/tcp/127.0.0.1/" + port.port() + "; printf '" + request + "' >&3; cat <&3";
        Process nobody = new ProcessBuilder(
                        "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        try {
            String answer = new String(nobody.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(nobody.waitFor(READ_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            return answer;
        } finally {
            nobody.destroyForcibly();
        }
    }

    private static void assumeOtherUsers() {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can run a client as another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv");
    }

    @Test
    void shouldAnswerThisUserOnLoopback() throws Exception {
        open(LOCAL, Map.of());
        assertThat(lines).containsExactly("updraft: console: http://localhost:" + port.port() + "/");
        assertThat(get("/").body()).matches("start for " + System.getProperty("user.name") + " \\(uid \\d+\\)");
        assertThat(act()).isEqualTo(200);
        assertThat(get("/none").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldRefuseAnotherUserOfThisHost() throws Exception {
        assumeOtherUsers();
        open(LOCAL, Map.of());
        String host = "Host: localhost\\r\\nConnection: close\\r\\n\\r\\n";
        for (String begin : List.of("GET / ", "GET /none ", "POST /act ")) {
            assertThat(rawFromNobody(begin + "HTTP/1.1\\r\\n" + host))
                    .startsWith("HTTP/1.1 403 ")
                    .endsWith("user id 65534 may not connect to port " + port.port()
                            + " of root; --ui-users names the users who may\n");
        }
        assertThat(actions).hasValue(0);
        port.close();
        open(users(null, "nobody"), Map.of());
        assertThat(rawFromNobody("GET / HTTP/1.1\\r\\n" + host)).endsWith("start for nobody (uid 65534)");
    }

    @Test
    void shouldRefuseOtherHostNamesAndOtherSites() throws Exception {
        open(LOCAL, Map.of());
        String get = "GET / HTTP/1.1\r\nConnection: close\r\n";
        assertThat(raw(get + "Host: localhost\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(raw(get + "Host: evil.example:" + port.port() + "\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ")
                .endsWith("the console does not know the host name 'evil.example'; --ui-name NAME adds a name\n");
        assertThat(raw(get + "\r\n")).startsWith("HTTP/1.1 421 ");
        assertThat(raw(get + "Host: localhost\r\nHost: evil.example\r\n\r\n")).doesNotContain("HTTP/1.1 200");
        assertThat(act("Origin", "http://evil.example")).isEqualTo(403);
        assertThat(act("Origin", "null")).isEqualTo(403);
        assertThat(get("/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors")
                        .statusCode())
                .isEqualTo(403);
        assertThat(actions).hasValue(0);
        assertThat(act("Origin", "http://127.0.0.1:" + port.port(), "Sec-Fetch-Site", "same-origin"))
                .isEqualTo(200);
    }

    @Test
    void shouldOnlyShowWhenItIsReadOnly() throws Exception {
        open(new UiSettings(true, true, 0, null, List.of(), List.of(), true, null, null), Map.of());
        assertThat(get("/").statusCode()).isEqualTo(200);
        assertThat(act()).isEqualTo(403);
        assertThat(actions).hasValue(0);
    }

    @Test
    void shouldAskForTheTokenOnAnotherAddress() throws Exception {
        open(EVERYWHERE, Map.of());
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .matches("updraft: console: http://\\S+:" + port.port() + "/\\?token=[A-Za-z0-9_-]{32}");
        assertThat(lines.get(1)).startsWith("updraft: warning: ").contains("--ui-cert");
        String token = lines.get(0).replaceFirst(".*token=", "");
        assertThat(get("/").statusCode()).isEqualTo(401);
        assertThat(act()).isEqualTo(401);
        HttpResponse<String> login = get("/?token=" + token);
        assertThat(login.statusCode()).isEqualTo(303);
        assertThat(login.headers().firstValue("Location")).contains("/");
        HttpCookie cookie = HttpCookie.parse(
                        login.headers().firstValue("Set-Cookie").orElseThrow())
                .get(0);
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(get("/", "Cookie", cookie.getName() + "=" + cookie.getValue())
                        .body())
                .isEqualTo("start for token");
        assertThat(act("Authorization", "Bearer " + token)).isEqualTo(200);
        assertThat(act("Authorization", "Bearer " + token + "x")).isEqualTo(401);
        assertThat(actions).hasValue(1);
    }

    private Map<String, Object> passwords() throws IOException {
        Path jaas = Files.writeString(directory.resolve("jaas.conf"), """
                StormServer {
                  org.apache.storm.security.auth.digest.DigestLoginModule required
                  user_alice="open sesame"
                  user_bob="p:\u00e4";
                };
                """);
        return Map.of("java.security.auth.login.config", jaas.toString());
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldTakeThePasswordsOfStormsServer() throws Exception {
        open(EVERYWHERE, passwords());
        assertThat(lines).hasSize(2).noneMatch(line -> line.contains("token"));
        assertThat(lines.get(1)).contains("passwords");
        assertThat(get("/").headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(ask -> assertThat(ask).startsWith("Basic realm="));
        assertThat(get("/", "Authorization", basic("alice:open sesame")).body()).isEqualTo("start for alice");
        for (String wrong : List.of("alice:", "alice:open sesam", "bob:open sesame", "carol:", ":", "alice")) {
            assertThat(get("/", "Authorization", basic(wrong)).statusCode()).isEqualTo(401);
        }
        assertThat(get("/", "Authorization", "Basic ???").statusCode()).isEqualTo(401);
        for (int i = 7; i < FailureLimit.MAX_FAILURES; i++) {
            assertThat(get("/", "Authorization", basic("alice:guess " + i)).statusCode())
                    .isEqualTo(401);
        }
        assertThat(get("/", "Authorization", basic("alice:open sesame")).statusCode())
                .isEqualTo(429);
    }

    /** Each user of this host has attempts of its own: nobody locks others out. */
    @Test
    void shouldCountWrongPasswordsByLocalUser() throws Exception {
        assumeOtherUsers();
        open(LOCAL, passwords());
        String end =
                "Host: localhost\\r\\nConnection: close\\r\\nAuthorization: " + basic("alice:guess") + "\\r\\n\\r\\n";
        for (int i = 0; i < FailureLimit.MAX_FAILURES; i++) {
            assertThat(rawFromNobody("GET / HTTP/1.1\\r\\n" + end)).startsWith("HTTP/1.1 401 ");
        }
        assertThat(rawFromNobody("GET / HTTP/1.1\\r\\n" + end)).startsWith("HTTP/1.1 429 ");
        assertThat(get("/", "Authorization", basic("alice:open sesame")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldSayWhatIsWrongInOneLine() throws Exception {
        assertComplaint(at("no-such-host.invalid"), Map.of(), "there is no host 'no-such-host.invalid' for --ui-host");
        assertComplaint(at("192.0.2.77"), Map.of(), "this host does not have the address of --ui-host 192.0.2.77");
        assertComplaint(
                users(null, "no-such-user"), Map.of(), "--ui-users: there is no user 'no-such-user' on this host");
        assertComplaint(
                users("0.0.0.0", "root"), Map.of(), "--ui-users is for a console on localhost without passwords");
        assertComplaint(
                LOCAL,
                Map.of(
                        "java.security.auth.login.config",
                        directory.resolve("none").toString()),
                "cannot read the passwords of .*none: .*");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            UiSettings there =
                    new UiSettings(true, true, taken.getLocalPort(), null, List.of(), List.of(), false, null, null);
            assertComplaint(there, Map.of(), "cannot listen on port .* is another server running there\\?");
            UiSettings byDefault =
                    new UiSettings(true, false, taken.getLocalPort(), null, List.of(), List.of(), false, null, null);
            open(byDefault, Map.of());
            assertThat(port).isNull();
            assertThat(lines).singleElement().asString().startsWith("updraft: warning: no console: cannot listen on");
        }
    }

    private void assertComplaint(UiSettings settings, Map<String, Object> conf, String line) {
        assertThatThrownBy(() -> open(settings, conf))
                .isInstanceOf(IOException.class)
                .message()
                .matches(line);
    }

    @Test
    void shouldSearchForAFreePortOnlyByDefault() throws Exception {
        UiSettings byDefault = new UiSettings(true, false, null, null, List.of(), List.of(), false, null, null);
        open(byDefault, Map.of());
        int first = port.port();
        assertThat(first).isBetween(ConsolePorts.FIRST, ConsolePorts.LAST);
        HttpPort one = port;
        try {
            open(byDefault, Map.of());
            assertThat(port.port()).isBetween(first + 1, ConsolePorts.LAST);
        } finally {
            one.close();
        }
        assertThat(ConsolePorts.open(
                        new UiSettings(false, false, null, null, List.of(), List.of(), false, null, null),
                        Map.of(),
                        Map.of(),
                        lines::add))
                .isEmpty();
    }
}
