package io.updraft.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.net.ConnectionLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class HttpPortTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int READ_MILLIS = 20_000;

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch held = new CountDownLatch(1);
    private final Semaphore hanging = new Semaphore(0);
    private final Strangers filter = new Strangers();
    private HttpPort port;

    private static final class Strangers implements HttpFilter {
        private volatile boolean areStrangers;

        @Override
        public HttpAnswer answer(HttpQuery query, HttpPage page) {
            return page.get(query);
        }

        @Override
        public boolean isStranger(InetSocketAddress peer, InetSocketAddress own) {
            return areStrangers;
        }
    }

    @AfterEach
    void close() {
        held.countDown();
        if (port != null) {
            port.close();
        }
    }

    private void open(ConnectionLimits.Limits limits) throws IOException {
        Map<String, HttpRoute> routes = Map.of(
                "/echo",
                HttpRoute.get(query -> HttpAnswer.text(200, query.rawParameters() + "|" + query.header("ACCEPT"))),
                "/fails",
                HttpRoute.get(query -> {
                    throw new IllegalStateException("a fault");
                }),
                "/hangs",
                HttpRoute.get(query -> {
                    await();
                    return HttpAnswer.text(200, "late");
                }),
                "/invalid",
                HttpRoute.get(query -> HttpAnswer.text(200, "").with("X-Lines", "two\nlines")),
                "/quick",
                HttpRoute.atOnce(query -> HttpAnswer.text(200, "quick")));
        port = HttpPort.open(ANY_PORT, new HttpSite(routes, filter, null, limits));
    }

    private static HttpSite site(HttpPage page) {
        return new HttpSite(Map.of(), page, HttpFilter.NONE, null, HttpPort.LIMITS, 70_000, "updraft-late");
    }

    private void await() {
        hanging.release();
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ConnectionLimits.Limits limits(int connections, Duration time) {
        return new ConnectionLimits.Limits(connections, connections, time, time, time, Duration.ZERO);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(port.url() + path)).timeout(Duration.ofMillis(READ_MILLIS));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
        socket.setSoTimeout(READ_MILLIS);
        return socket;
    }

    private String answerTo(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            return read(socket);
        }
    }

    /** Reads until the server closes the connection. */
    private static String read(Socket socket) throws IOException {
        try (InputStream in = socket.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shouldServePages() throws Exception {
        open(HttpPort.LIMITS);
        HttpResponse<String> echo = client.send(
                request("/echo?a=b%20c").header("Accept", "text/plain").build(), BodyHandlers.ofString());
        assertThat(echo.statusCode()).isEqualTo(200);
        assertThat(echo.body()).isEqualTo("a=b%20c|text/plain");
        assertThat(echo.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(get("/quick").body()).isEqualTo("quick");
        assertThat(get("/").statusCode()).isEqualTo(404);
        assertThat(get("/quick/").statusCode()).isEqualTo(404);
        assertThat(get("/fails").statusCode()).isEqualTo(500);
        assertThat(get("/fails").body()).doesNotContain("a fault");
    }

    @Test
    void shouldCloseTheConnectionIfAnAnswerCannotBeSent() throws Exception {
        open(HttpPort.LIMITS);
        assertThat(answerTo("GET /invalid HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(get("/quick").body()).isEqualTo("quick");
    }

    @Test
    void shouldAnswerHeadWithoutABodyAndRefuseOtherMethods() throws Exception {
        open(HttpPort.LIMITS);
        HttpResponse<String> head = client.send(
                request("/quick")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).contains("5");
        HttpResponse<String> post = client.send(
                request("/quick").POST(HttpRequest.BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(client.send(request("/nothing").DELETE().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
        assertThat(answerTo("GET /quick HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8)))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\nquick");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET\r\n\r\n",
                "GET /quick HTTP/9.x\r\n\r\n",
                "GET /quick HTTP/1.1\r\n: no name\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "POST /quick HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                "POST /quick HTTP/1.1\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nConnection: close\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\n\n",
            })
    void shouldRefuseGarbage(String request) throws Exception {
        open(HttpPort.LIMITS);
        assertThat(answerTo(request.getBytes(StandardCharsets.ISO_8859_1)))
                .matches("(?s)(HTTP/1\\.1 (400|404|413|505) .*)?");
        assertThat(get("/quick").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSurviveRandomBytes() throws Exception {
        open(HttpPort.LIMITS);
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = new byte[1 + random.nextInt(12_000)];
            random.nextBytes(bytes);
            bytes[bytes.length / 2] = '\n';
            try {
                assertThat(answerTo(bytes)).matches("(?s)(HTTP/1\\.1 (400|404|405|413) .*)?");
            } catch (IOException e) {
                // The server may close the connection before it has read all.
            }
        }
        assertThat(get("/quick").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldTakeLongNames() throws Exception {
        open(HttpPort.LIMITS);
        String parameters = "topology=" + "x".repeat(10_000) + "&component=" + "%E2%9C%93".repeat(2_000);
        assertThat(get("/echo?" + parameters).body()).startsWith(parameters);
    }

    @Test
    void shouldRefuseAnEndlessHeader() throws Exception {
        open(HttpPort.LIMITS);
        assertThat(answerTo(("GET /" + "x".repeat(70_000) + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.UTF_8)))
                .startsWith("HTTP/1.1 400 ");
        assertThat(get("/quick").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldServePipelinedRequestsInOrder() throws Exception {
        open(HttpPort.LIMITS);
        String twice = "GET /echo?1 HTTP/1.1\r\n\r\nGET /quick HTTP/1.1\r\nConnection: close\r\n\r\n";
        assertThat(answerTo(twice.getBytes(StandardCharsets.UTF_8))).matches("(?s).*\r\n\r\n1\\|HTTP/1.1 200.*quick");
    }

    @Test
    void shouldCloseConnectionsThatAreSilentOrSlow() throws Exception {
        open(limits(8, Duration.ofMillis(300)));
        try (Socket silent = connect();
                Socket slow = connect();
                Socket idle = connect()) {
            slow.getOutputStream().write("GET /quick HTTP/1.1\r\nHost:".getBytes(StandardCharsets.UTF_8));
            idle.getOutputStream().write("GET /quick HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(read(silent)).isEmpty();
            assertThat(read(slow)).isEmpty();
            assertThat(read(idle)).endsWith("quick");
        }
    }

    @Test
    void shouldAdmitANewConnectionInsteadOfASilentOne() throws Exception {
        open(limits(4, Duration.ofMinutes(10)));
        List<Socket> silent = new ArrayList<>();
        try {
            for (int connection = 0; connection < 12; connection++) {
                silent.add(connect());
            }
            assertThat(get("/quick").statusCode()).isEqualTo(200);
            assertThat(read(silent.get(0))).isEmpty();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void shouldAdmitKnownClientsHoweverManyStrangersConnect() throws Exception {
        filter.areStrangers = true;
        open(limits(4, Duration.ofMinutes(10)));
        List<CompletableFuture<HttpResponse<String>>> strangers = new ArrayList<>();
        for (int connection = 0; connection < 4; connection++) {
            strangers.add(client.sendAsync(request("/hangs").build(), BodyHandlers.ofString()));
        }
        hanging.acquire(4);
        try (Socket refused = connect()) {
            assertThat(read(refused)).isEmpty();
        }
        filter.areStrangers = false;
        assertThat(get("/quick").statusCode()).isEqualTo(200);
        held.countDown();
        for (CompletableFuture<HttpResponse<String>> each : strangers) {
            assertThat(each.get().body()).isEqualTo("late");
        }
    }

    @Test
    void shouldMakeQuickPagesWhileOthersHang() throws Exception {
        open(HttpPort.LIMITS);
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int request = 0; request < HttpPort.MAX_PAGES; request++) {
            waiting.add(client.sendAsync(request("/hangs").build(), BodyHandlers.ofString()));
        }
        hanging.acquire(HttpPort.MAX_PAGES);
        for (int request = 0; request <= HttpPort.MAX_WAITING; request++) {
            waiting.add(client.sendAsync(request("/echo").build(), BodyHandlers.ofString()));
        }
        // One request is too many.
        assertThat(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new))
                        .get())
                .isInstanceOfSatisfying(
                        HttpResponse.class,
                        refused -> assertThat(refused.statusCode()).isEqualTo(503));
        assertThat(get("/quick").body()).isEqualTo("quick");
        held.countDown();
        int made = 0;
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            made += each.get().statusCode() == 200 ? 1 : 0;
        }
        assertThat(made).isEqualTo(HttpPort.MAX_PAGES + HttpPort.MAX_WAITING);
    }

    /** As many requests wait as pages can be made or wait to be made. */
    @Test
    void shouldHoldNoThreadForAnswersThatComeLater() throws Exception {
        CompletableFuture<HttpAnswer> late = new CompletableFuture<>();
        HttpPage page = query -> query.path().equals("/late")
                ? HttpAnswer.later(late)
                : HttpAnswer.text(200, query.path() + "|" + query.body().length);
        port = HttpPort.open(ANY_PORT, site(page));
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < HttpPort.MAX_PAGES + HttpPort.MAX_WAITING; i++) {
            waiting.add(client.sendAsync(request("/late").build(), BodyHandlers.ofString()));
        }
        assertThat(answerTo("GET /../%zz%0a+?b HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .endsWith("/../%zz%0a+|0");
        HttpRequest large =
                request("/x").POST(BodyPublishers.ofByteArray(new byte[70_000])).build();
        assertThat(client.send(large, BodyHandlers.ofString()).body()).isEqualTo("/x|70000");
        late.complete(HttpAnswer.text(201, "at last"));
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertThat(each.get().body()).isEqualTo("at last");
        }
    }

    @Test
    void shouldSayThatAnAnswerHasFailedThatShouldComeLater() throws Exception {
        HttpPage page = query -> HttpAnswer.later(CompletableFuture.failedFuture(new IllegalStateException("a fault")));
        port = HttpPort.open(ANY_PORT, site(page));
        assertThat(get("/").statusCode()).isEqualTo(500);
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        open(HttpPort.LIMITS);
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), port.port());
        assertThatThrownBy(() -> HttpPort.open(taken, HttpSite.open(Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on port " + port.port())
                .hasMessageContaining("is another server running there?");
    }
}
