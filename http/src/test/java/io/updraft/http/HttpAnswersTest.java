package io.updraft.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.updraft.base.net.ConnectionLimits;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a port to browsers and scripts: bodies, encodings, files, TLS. */
@Tag("one-jdk")
class HttpAnswersTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String SCRIPT = "let updraft = 'a line';\n".repeat(500);
    private static final long BIG = 300L * 1024 * 1024;
    private static final int MEGABYTE = 1024 * 1024;
    private static final int READ_MILLIS = 20_000;

    @TempDir
    Path directory;

    private HttpClient client = HttpClient.newHttpClient();
    private HttpPort port;

    @AfterEach
    void close() {
        if (port != null) {
            port.close();
        }
    }

    private void open(Duration limit, PortCertificate certificate) throws IOException {
        HttpAnswer script = HttpAnswer.asset("text/javascript", SCRIPT.getBytes(UTF_8));
        Map<String, HttpRoute> routes = Map.of(
                "/", HttpRoute.get(query -> HttpAnswer.text(200, "start")),
                "/api/", HttpRoute.get(query -> HttpAnswer.text(200, "prefix " + query.path())),
                "/api/v1/", HttpRoute.get(query -> HttpAnswer.text(200, "longer " + query.path())),
                "/api/exact", HttpRoute.get(query -> HttpAnswer.text(200, "exact " + query.parameters())),
                "/act",
                        HttpRoute.post(
                                query -> HttpAnswer.text(200, query.header("x-NAME") + " " + query.body().length)),
                "/script", HttpRoute.atOnce(query -> script),
                "/json",
                        HttpRoute.get(query -> HttpAnswer.of(200, "application/json", "1".repeat(5_000))
                                .with("ETag", "\"v1\"")),
                "/big",
                        HttpRoute.get(
                                query -> HttpAnswer.file(big(), "heap \"dump\".hprof", "application/octet-stream")),
                "/long", HttpRoute.get(query -> HttpAnswer.of(200, "image/png", new byte[20 * MEGABYTE])));
        ConnectionLimits.Limits limits =
                new ConnectionLimits.Limits(16, 16, limit, limit, limit, Duration.ofSeconds(1));
        port = HttpPort.open(ANY_PORT, new HttpSite(routes, HttpFilter.NONE, certificate, limits));
    }

    private void open() throws IOException {
        open(Duration.ofSeconds(10), null);
    }

    private Path big() {
        return directory.resolve("big");
    }

    private void makeBig() throws IOException {
        make(BIG);
    }

    private void make(long length) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(big().toFile(), "rw")) {
            sparse.setLength(length);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(port.url() + path)).timeout(Duration.ofMillis(READ_MILLIS));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, byte[] body) throws Exception {
        return client.send(
                request(path)
                        .header("X-Name", "alice")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private Socket ask(String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.port()));
        socket.setSoTimeout(READ_MILLIS);
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n").getBytes(UTF_8));
        return socket;
    }

    /** Reads to the end of the headers. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    @Test
    void shouldChooseTheExactPathThenTheLongestPrefix() throws Exception {
        open();
        assertThat(get("/").body()).isEqualTo("start");
        assertThat(get("/api/").body()).isEqualTo("prefix /api/");
        assertThat(get("/api/some%20thing/else").body()).isEqualTo("prefix /api/some thing/else");
        assertThat(get("/api/v1/topology").body()).isEqualTo("longer /api/v1/topology");
        assertThat(get("/api/exact?a=1%202&b=&a=3").body()).isEqualTo("exact {a=[1 2, 3], b=[]}");
        assertThat(get("/api").statusCode()).isEqualTo(404);
        assertThat(get("/other/").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/%2e%2e/x", "/api/..%2fx", "/api/..%5cx", "/..", "/api/%00", "/api/%0d%0ax"})
    void shouldRefusePathsThatNoPageHas(String path) throws Exception {
        open();
        assertThat(get(path).statusCode()).isEqualTo(400);
    }

    @Test
    void shouldTakeAPostAndItsBody() throws Exception {
        open();
        assertThat(post("/act", new byte[64 * 1024]).body()).isEqualTo("alice 65536");
        assertThat(post("/script", new byte[1]).statusCode()).isEqualTo(405);
        HttpResponse<String> get = get("/act");
        assertThat(get.statusCode()).isEqualTo(405);
        assertThat(get.headers().firstValue("Allow")).contains("POST");
    }

    @Test
    void shouldRefuseABodyThatIsTooLong() throws Exception {
        open();
        HttpResponse<String> refused = post("/act", new byte[64 * 1024 + 1]);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).isEqualTo("a request may have at most 65536 bytes\n");
        assertThat(refused.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(post("/act", new byte[MEGABYTE]).statusCode()).isEqualTo(413);
        assertThat(post("/act", new byte[1]).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseALongBodyOfUnknownLength() throws Exception {
        open();
        HttpRequest request = request("/act")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[200_000])))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    }

    @Test
    void shouldSendSecurityHeadersWithEveryAnswer() throws Exception {
        open();
        for (String path : new String[] {"/", "/script", "/none", "/act", "/.."}) {
            var headers = get(path).headers();
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).contains("DENY");
            assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(headers.firstValue("Content-Security-Policy")).contains("default-src 'none'");
            assertThat(headers.firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
            assertThat(headers.firstValue("Cross-Origin-Resource-Policy")).contains("same-origin");
        }
    }

    @Test
    void shouldCompressForClientsThatAcceptIt() throws Exception {
        open();
        HttpRequest request =
                request("/script").header("Accept-Encoding", "br, gzip;q=0.5").build();
        HttpResponse<byte[]> compressed = client.send(request, BodyHandlers.ofByteArray());
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(compressed.headers().firstValue("Vary")).contains("Accept-Encoding");
        assertThat(compressed.body().length).isLessThan(SCRIPT.length() / 10);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(SCRIPT);
        }
        assertThat(get("/script").body()).isEqualTo(SCRIPT);
        assertThat(get("/script", "Accept-Encoding", "gzip;q=0").body()).isEqualTo(SCRIPT);
        assertThat(get("/", "Accept-Encoding", "gzip").body()).isEqualTo("start");
        HttpResponse<String> json = get("/json", "Accept-Encoding", "gzip");
        assertThat(json.headers().firstValue("ETag")).contains("W/\"v1\"");
        assertThat(json.body().length()).isLessThan(1_000);
    }

    @Test
    void shouldNotSendAgainWhatTheClientHas() throws Exception {
        open();
        String tag = get("/script").headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> known = get("/script", "If-None-Match", "\"other\", " + tag, "Accept-Encoding", "gzip");
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
        assertThat(known.headers().firstValue("ETag")).contains(tag);
        assertThat(get("/script", "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
        assertThat(get("/json", "If-None-Match", "W/\"v1\"").statusCode()).isEqualTo(304);
        assertThat(get("/", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldDownloadABigFileWithoutHoldingIt() throws Exception {
        makeBig();
        open();
        System.gc();
        long before = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long direct = direct();
        try (Socket socket = ask("/big");
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            assertThat(head(in))
                    .containsIgnoringCase("content-length: " + BIG)
                    .containsIgnoringCase("content-disposition: attachment; filename=\"heap__dump_.hprof\"");
            byte[] piece = new byte[MEGABYTE];
            for (int pieces = 0; pieces < 100; pieces++) {
                in.readFully(piece);
            }
            // The server waits for this client now, and not for others.
            assertThat(get("/script").statusCode()).isEqualTo(200);
            System.gc();
            assertThat(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed())
                    .isLessThan(before + 20 * MEGABYTE);
            assertThat(direct()).isLessThan(direct + 20 * MEGABYTE);
            long left = BIG - 100 * MEGABYTE;
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                left -= read;
            }
            assertThat(left).isZero();
        }
    }

    private static long direct() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    @Test
    void shouldNotSendTheFileForHeadAndSayThatItIsMissing() throws Exception {
        open();
        assertThat(get("/big").statusCode()).isEqualTo(404);
        makeBig();
        HttpResponse<String> head = client.send(
                request("/big").method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
        assertThat(head.headers().firstValue("Content-Length")).contains(String.valueOf(BIG));
        assertThat(head.body()).isEmpty();
        Files.write(big(), new byte[0]);
        assertThat(get("/big").body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/big", "/long"})
    void shouldCloseTheConnectionOfAClientThatReadsNothing(String path) throws Exception {
        makeBig();
        open(Duration.ofMillis(500), null);
        try (Socket socket = ask(path)) {
            assertThatThrownBy(() -> {
                        // The server refuses more bytes when it has closed the connection.
                        long end = System.nanoTime()
                                + Duration.ofMillis(READ_MILLIS).toNanos();
                        while (System.nanoTime() < end) {
                            socket.getOutputStream().write('\n');
                            Thread.sleep(10);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/big", "/long"})
    void shouldNotCutASlowDownloadThatMakesProgress(String path) throws Exception {
        makeBig();
        open(Duration.ofMillis(700), null);
        long begun = System.nanoTime();
        try (Socket socket = ask(path);
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            head(in);
            byte[] piece = new byte[MEGABYTE / 4];
            for (int pieces = 0; pieces < 80; pieces++) {
                in.readFully(piece);
                // A slow client.
                Thread.sleep(25);
            }
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(1_400));
    }

    private X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=console")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldServeByTls(String protocol) throws Exception {
        long length = 8L * MEGABYTE;
        make(length);
        X509Bundle bundle = certificate();
        open(
                Duration.ofSeconds(10),
                PortCertificate.read(
                        write("cert.pem", bundle.getCertificatePathPEM()),
                        write("key.pem", bundle.getPrivateKeyPEM())));
        assertThat(port.url()).startsWith("https://localhost:");
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, bundle.toTrustManagerFactory().getTrustManagers(), null);
        client = HttpClient.newBuilder()
                .sslContext(trusting)
                .sslParameters(new SSLParameters(null, new String[] {protocol}))
                .build();
        assertThat(get("/script").body()).isEqualTo(SCRIPT);
        assertThat(post("/act", new byte[70_000]).statusCode()).isEqualTo(413);
        try (InputStream in = client.send(request("/big").build(), BodyHandlers.ofInputStream())
                .body()) {
            assertThat(in.skip(length)).isEqualTo(length);
            assertThat(in.read()).isNegative();
        }
        try (Socket plain = ask("/")) {
            // A TLS alert at most.
            assertThat(new String(plain.getInputStream().readAllBytes(), UTF_8)).doesNotContain("start");
        }
    }
}
