package io.updraft.pipeline.source.http;

import static io.updraft.pipeline.TestFiles.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.record.Chunk;
import io.updraft.base.testing.Await;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HttpSourceTest {

    private static final String JSON = "application/json";
    private static final long LIMIT_SECONDS = 60;

    private final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    private HttpSource source;

    private SourceReading reading;

    @Test
    void shouldTakeListsAndObjectsOfMeasurements() throws Exception {
        open(null, 1 << 20, 1 << 20);
        String body = """
                {"measure_time": 1700000000, "source": "web",
                 "gauges": [{"name": "a", "value": 1.5}, {"name": "b \\"x\\"", "value": 2, \
                 "source": "db", "measure_time": 1700000060},
                            {"name": "s", "count": 3, "sum": 9, "min": 1, "max": 5}],
                 "counters": {"hits": {"value": 7}, "ignored_key": {"name": "named", "value": 8}}}
                """;
        assertThat(taken(post(body, JSON)).statusCode()).isEqualTo(202);
        assertThat(reading.text("http").split("\n"))
                .containsExactly(
                        "{\"name\":\"a\",\"source\":\"web\",\"type\":\"gauge\",\"measure_time\":1700000000,\"value\":1.5}",
                        "{\"name\":\"b \\\"x\\\"\",\"source\":\"db\",\"type\":\"gauge\","
                                + "\"measure_time\":1700000060,\"value\":2.0}",
                        "{\"name\":\"s\",\"source\":\"web\",\"type\":\"gauge\",\"measure_time\":1700000000,"
                                + "\"count\":3.0,\"sum\":9.0,\"min\":1.0,\"max\":5.0}",
                        "{\"name\":\"hits\",\"source\":\"web\",\"type\":\"counter\",\"measure_time\":1700000000,\"value\":7.0}",
                        "{\"name\":\"named\",\"source\":\"web\",\"type\":\"counter\",\"measure_time\":1700000000,\"value\":8.0}");
    }

    @Test
    void shouldUnpackGzipAndRefuseWhatIsTooLargeUnpacked() throws Exception {
        open(null, 4096, 1 << 20);
        assertThat(taken(send(request(gzip("{\"gauges\":[{\"name\":\"a\",\"value\":1}]}"), JSON)
                                .header("Content-Encoding", "gzip")))
                        .statusCode())
                .isEqualTo(202);
        byte[] bomb = gzip("{\"gauges\":[" + " ".repeat(1 << 20) + "]}");
        assertThat(bomb).hasSizeLessThan(4096);
        assertThat(send(request(bomb, JSON).header("Content-Encoding", "gzip"))
                        .get()
                        .statusCode())
                .isEqualTo(413);
        assertThat(post("x".repeat(5000), JSON).get().statusCode()).isEqualTo(413);
        assertThat(send(request("no gzip".getBytes(UTF_8), JSON).header("Content-Encoding", "gzip"))
                        .get()
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        open(null, 1 << 20, 1 << 20);
        assertRefused(
                "{\"gauges\":[{\"name\":\"a\",\"value\":1},{\"value\":2}]}",
                "gauges[1]: a name of 1 to 255 characters");
        assertRefused("{\"gauges\":{\"a\":{}}}", "gauges[0] (a): either value, or count and sum, is required");
        assertRefused("{\"gauges\":[{\"name\":\"a\",\"value\":\"much\"}]}", "value");
        assertRefused("{}", "neither gauges nor counters");
        assertRefused("{\"gauges\":[", "");
        assertRefused("", "");
        assertRefused("\u0000\u0001\u0002", "");
        assertThat(post("{}", "text/plain").get().statusCode()).isEqualTo(415);
        assertThat(send(HttpRequest.newBuilder(uri("/v1/measurements")).GET())
                        .get()
                        .statusCode())
                .isEqualTo(405);
        assertThat(send(HttpRequest.newBuilder(uri("/v2")).POST(BodyPublishers.noBody()))
                        .get()
                        .statusCode())
                .isEqualTo(404);
        source.poll();
        assertThat(source.progress().lag()).as("nothing of it was taken").isZero();
    }

    private void assertRefused(String body, String reason) throws Exception {
        HttpResponse<String> response = post(body, JSON).get();
        assertThat(response.statusCode()).as(body).isEqualTo(400);
        assertThat(response.body()).startsWith("{\"errors\":{\"request\":[\"").contains(reason);
    }

    @Test
    void shouldAskToTryAgainWhenThePipelineIsBehind() throws Exception {
        open(null, 1 << 20, 100);
        String body = "{\"gauges\":[{\"name\":\"a\",\"value\":1,\"source\":\"sssssssssssssssssss\"}]}";
        CompletableFuture<HttpResponse<String>> first = post(body, JSON);
        Await.until("a body is queued", () -> source.progress().lag() > 0);
        HttpResponse<String> second = post(body, JSON).get();
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValue("Retry-After")).contains("1");
        assertThat(first).isNotDone();
        assertThat(taken(first).statusCode()).isEqualTo(202);
        assertThat(taken(post(body, JSON)).statusCode()).isEqualTo(202);
    }

    @Test
    void shouldAnswerWhatWasWrittenAndNothingElseWhereChunksAreWrittenOnTheirOwn() throws Exception {
        openUntilWritten(Duration.ofMinutes(5));
        CompletableFuture<HttpResponse<String>> first = post(gauge("a"), JSON);
        reading.until(() -> reading.of(Chunk.class).size() == 1);
        CompletableFuture<HttpResponse<String>> second = post(gauge("b"), JSON);
        reading.until(() -> reading.of(Chunk.class).size() == 2);
        source.written("http", reading.of(Chunk.class).get(1).from());
        assertThat(second.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(first).isNotDone();
        source.written("http", 0);
        assertThat(first.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldNameMeasurementsThatCannotBeWrittenToTheirRequestsAlone() throws Exception {
        openUntilWritten(Duration.ofMinutes(5));
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            answers.add(post(gauge(name), JSON));
            int so = answers.size();
            reading.until(() -> chunks().size() == so);
        }
        Chunk second = chunks().get(1);
        source.refused("http", second.from(), second.from(), "{\"name\":\"b\"}: too large");
        chunks().forEach(chunk -> source.written("http", chunk.from()));
        assertThat(answers.get(0).get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
        HttpResponse<String> refused = answers.get(1).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body())
                .isEqualTo("{\"errors\":{\"request\":[\"a measurement cannot be stored, all others are: "
                        + "{\\\"name\\\":\\\"b\\\"}: too large\"]}}\n");
        assertThat(answers.get(2).get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldSendAwayWhatIsNotWrittenInTimeUntilSomethingIsWritten() throws Exception {
        openUntilWritten(Duration.ofMillis(300));
        HttpResponse<String> late = taken(post(gauge("a"), JSON));
        while (chunks().isEmpty()) {
            // On a busy machine it was not even taken in time.
            late = taken(post(gauge("a"), JSON));
        }
        assertThat(late.statusCode()).isEqualTo(503);
        assertThat(late.headers().firstValue("Retry-After")).contains("1");
        assertThat(late.body()).contains("no broker has confirmed the request in time");
        assertThat(post(gauge("b"), JSON).get().statusCode()).isEqualTo(503);
        source.poll();
        assertThat(reading.text("http"))
                .as("the second was not taken")
                .contains("\"a\"")
                .doesNotContain("\"b\"");
        source.written("http", 0);
        HttpResponse<String> third = postAndWrite(gauge("c"));
        while (third.statusCode() == 503) {
            // On a busy machine it was written too late, which lets the next one in all the same.
            third = postAndWrite(gauge("c"));
        }
        assertThat(third.statusCode()).isEqualTo(200);
    }

    /** Posts, and tells the source that the newest chunk was written. */
    private HttpResponse<String> postAndWrite(String body) throws Exception {
        int before = chunks().size();
        CompletableFuture<HttpResponse<String>> answer = post(body, JSON);
        reading.until(() -> chunks().size() > before || answer.isDone());
        source.written("http", chunks().get(chunks().size() - 1).from());
        return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private List<Chunk> chunks() {
        return reading.of(Chunk.class);
    }

    private static String gauge(String name) {
        return "{\"gauges\":[{\"name\":\"" + name + "\",\"value\":1}]}";
    }

    private void openUntilWritten(Duration timeout) throws SourceException {
        source = new HttpSource(spec("127.0.0.1", null, 1 << 20, 1 << 20), Duration.ZERO, timeout);
        reading = new SourceReading(source);
    }

    @Test
    void shouldTellThoseWhoWaitThatItEnds() throws Exception {
        open(null, 1 << 20, 1 << 20);
        CompletableFuture<HttpResponse<String>> waiting = post("{\"gauges\":[{\"name\":\"a\",\"value\":1}]}", JSON);
        Await.until("a body is queued", () -> source.progress().lag() > 0);
        source.close();
        assertThat(waiting.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
    }

    @Test
    void shouldAskForTheToken() throws Exception {
        open("secret", 1 << 20, 1 << 20);
        byte[] body = "{\"gauges\":[{\"name\":\"a\",\"value\":1}]}".getBytes(UTF_8);
        assertThat(send(request(body, JSON)).get().statusCode()).isEqualTo(401);
        assertThat(send(request(body, JSON).header("Authorization", "Bearer secre"))
                        .get()
                        .statusCode())
                .isEqualTo(401);
        assertThat(send(request(body, JSON).header("Authorization", "Basic !!"))
                        .get()
                        .statusCode())
                .isEqualTo(401);
        assertThat(taken(send(request(body, JSON).header("Authorization", "Bearer secret")))
                        .statusCode())
                .isEqualTo(202);
        // user:secret
        assertThat(taken(send(request(body, JSON).header("Authorization", "Basic dXNlcjpzZWNyZXQ=")))
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void shouldNotListenForOthersWithoutAToken() {
        assertThatThrownBy(() -> new HttpSource(spec("0.0.0.0", null, 1 << 20, 1 << 20), Duration.ZERO, null))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("give a token");
    }

    @Test
    void shouldCloseConnectionsThatSendTheirRequestByteByByte() throws Exception {
        source =
                new HttpSource(spec("127.0.0.1", null, 1 << 20, 1 << 20, Duration.ofMillis(1500)), Duration.ZERO, null);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), source.port())) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            assertThat(sendSome(socket)).as("closed by the other side").isEqualTo(-1);
        }
    }

    /** What is read after half of a head. */
    private static int sendSome(Socket socket) throws IOException {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "POST /v1/measurements HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".getBytes(UTF_8));
            out.flush();
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1; // It was closed before that was sent.
        }
    }

    @Test
    void shouldTakePipelinedRequestsInTheirOrder() throws Exception {
        open(null, 1 << 20, 1 << 20);
        String body = "{\"gauges\":[{\"name\":\"%s\",\"value\":1}]}";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), source.port())) {
            StringBuilder requests = new StringBuilder();
            for (String name : new String[] {"x", "y", "z"}) {
                requests.append(
                                "POST /v1/measurements HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ")
                        .append(body.length() - 1)
                        .append("\r\n\r\n")
                        .append(String.format(body, name));
            }
            socket.getOutputStream().write(requests.toString().getBytes(UTF_8));
            reading.until(() -> reading.text("http").lines().count() == 3);
            assertThat(reading.text("http").lines().map(line -> line.charAt(9))).containsExactly('x', 'y', 'z');
        }
    }

    private void open(String token, int body, long queue) throws SourceException {
        source = new HttpSource(spec("127.0.0.1", token, body, queue), Duration.ZERO, null);
        reading = new SourceReading(source);
    }

    private static SourceSpec.Http spec(String host, String token, int body, long queue) {
        return spec(host, token, body, queue, Duration.ofMinutes(1));
    }

    private static SourceSpec.Http spec(String host, String token, int body, long queue, Duration idle) {
        return new SourceSpec.Http(host, 0, token, body, queue, idle, 100, null);
    }

    private HttpResponse<String> taken(CompletableFuture<HttpResponse<String>> response) throws Exception {
        reading.until(response::isDone);
        return response.get();
    }

    private CompletableFuture<HttpResponse<String>> post(String body, String type) {
        return send(request(body.getBytes(UTF_8), type));
    }

    private HttpRequest.Builder request(byte[] body, String type) {
        return HttpRequest.newBuilder(uri("/v1/measurements"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body));
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + source.port() + path);
    }
}
