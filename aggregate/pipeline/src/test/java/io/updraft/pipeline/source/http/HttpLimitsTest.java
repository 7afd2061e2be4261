package io.updraft.pipeline.source.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of clients that are slow, silent, many, or without a token. */
class HttpLimitsTest {

    private static final String GAUGE = "{\"gauges\":[{\"name\":\"a\",\"value\":1}]}";

    private static final int LIMIT_MILLIS = 60_000;

    @TempDir
    Path directory;

    @AutoClose
    private HttpSource source;

    private SourceReading reading;

    @Test
    void shouldAskForTheTokenBeforeAnyOfTheBody() throws Exception {
        open("secret", 1 << 20, 1 << 20, 100);
        try (Client peer = new Client()) {
            peer.write(head("wrong", 1000));
            assertThat(peer.answer()).startsWith("HTTP/1.1 401 ").contains("connection: close");
        }
        try (Client peer = new Client()) {
            peer.write(expecting("wrong", 1000));
            assertThat(peer.answer()).startsWith("HTTP/1.1 401 ");
        }
        try (Client client = new Client()) {
            client.write(expecting("secret", GAUGE.length()));
            assertThat(client.answer()).startsWith("HTTP/1.1 100 ");
            client.write(GAUGE);
            reading.until(() -> reading.text("http").contains("\"a\""));
            assertThat(client.answer()).startsWith("HTTP/1.1 202 ");
        }
    }

    @Test
    void shouldReadTheRestOfARefusedBodyAndThenTheNextRequest() throws Exception {
        open("secret", 2000, 1 << 20, 100);
        try (Client client = new Client()) {
            client.write(head("secret", 100_000));
            assertThat(client.answer()).startsWith("HTTP/1.1 413 ");
            client.write("x".repeat(100_000) + head("secret", 1) + "x");
            assertThat(client.answer()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void shouldBoundTheBodiesOfAllConnectionsTogetherAndForgetThemWithTheirConnections() throws Exception {
        open("secret", 1 << 20, 200_000, 100);
        List<Client> unfinished = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Client client = new Client();
            client.write(head("secret", 20_000) + "x".repeat(16_000));
            unfinished.add(client);
        }
        // Twelve of them fit, for a body has 16 KB when so much of it has come.
        reading.until(() -> unfinished.stream().filter(Client::isAnswered).count() >= 28);
        for (Client client : unfinished) {
            if (client.isAnswered()) {
                assertThat(client.answer()).startsWith("HTTP/1.1 429 ");
            }
            client.close();
        }
        String large = GAUGE + " ".repeat(180_000);
        String answer = "HTTP/1.1 429 ";
        while (answer.startsWith("HTTP/1.1 429 ")) {
            // Until the last of the connections is seen to be closed.
            answer = post(new Client(), large);
        }
        assertThat(answer).startsWith("HTTP/1.1 202 ");
    }

    @Test
    void shouldMakeRoomForANewConnectionByClosingOneThatHasBroughtNoRequest() throws Exception {
        open("secret", 1 << 20, 1 << 20, 3);
        try (Client first = new Client();
                Client second = new Client();
                Client known = new Client()) {
            first.write("POST /v1/measurements HTTP/1.1\r\n");
            known.write(expecting("secret", 20_000));
            assertThat(known.answer()).startsWith("HTTP/1.1 100 ");
            try (Client third = new Client();
                    Client fourth = new Client()) {
                assertThat(first.isClosed()).as("the oldest").isTrue();
                assertThat(second.isClosed()).as("the next").isTrue();
                third.write(expecting("secret", 1));
                assertThat(third.answer()).startsWith("HTTP/1.1 100 ");
                assertThat(post(fourth, GAUGE)).startsWith("HTTP/1.1 202 ");
                try (Client fifth = new Client()) {
                    assertThat(fifth.isClosed())
                            .as("all have brought a request")
                            .isTrue();
                }
                known.write("x".repeat(20_000));
                assertThat(known.answer()).as("was let in, and stays").startsWith("HTTP/1.1 400 ");
            }
        }
    }

    @Test
    void shouldNotKeepAnswersForThoseWhoDoNotReadThem() throws Exception {
        open(null, 1 << 20, 1 << 20, 100);
        String requests = "GET /v2 HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000);
        try (Client client = new Client()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 4000; i++) {
                            client.write(requests);
                        }
                    })
                    .as("is closed, as its answers cannot be written in time")
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldSpeakTlsAndTakeARenewedCertificate() throws Exception {
        X509Bundle before = certificate();
        Path chain = Files.writeString(directory.resolve("chain.pem"), before.getCertificatePathPEM());
        Path key = Files.writeString(directory.resolve("key.pem"), before.getPrivateKeyPEM());
        open(chain, key);
        assertThat(postTrusting(before)).startsWith("HTTP/1.1 202 ");
        assertThat(new Client().write(head("secret", 1)).isClosed())
                .as("without TLS")
                .isTrue();
        X509Bundle after = certificate();
        Files.writeString(chain, after.getCertificatePathPEM());
        Files.writeString(key, after.getPrivateKeyPEM());
        Files.setLastModifiedTime(key, FileTime.from(Instant.now().plusSeconds(10)));
        String answer = null;
        while (answer == null) {
            // Files are looked at once a second.
            try {
                answer = postTrusting(after);
            } catch (SSLException stillTheFirst) {
                assertThat(stillTheFirst).hasMessageContaining("PKIX");
            }
        }
        assertThat(answer).startsWith("HTTP/1.1 202 ");
    }

    @Test
    void shouldSayWhichCertificateCannotBeUsed() throws Exception {
        Path chain = Files.writeString(directory.resolve("chain.pem"), "no certificate");
        assertThatThrownBy(() -> open(chain, chain))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining(chain + " cannot be used");
    }

    private static X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=localhost")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private String postTrusting(X509Bundle bundle) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, bundle.toTrustManagerFactory().getTrustManagers(), null);
        try (Client client =
                new Client(context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), source.port()))) {
            return post(client, GAUGE);
        }
    }

    private void open(Path chain, Path key) throws SourceException {
        open(new SourceSpec.Http(
                "127.0.0.1",
                0,
                "secret",
                1 << 20,
                1 << 20,
                Duration.ofSeconds(60),
                100,
                new SourceSpec.Http.Certificate(chain, key)));
    }

    private void open(String token, int body, long queue, int connections) throws SourceException {
        Duration idle = token == null ? Duration.ofMillis(500) : Duration.ofSeconds(60);
        open(new SourceSpec.Http("127.0.0.1", 0, token, body, queue, idle, connections, null));
    }

    private void open(SourceSpec.Http spec) throws SourceException {
        source = new HttpSource(spec, Duration.ZERO, null);
        reading = new SourceReading(source);
    }

    /** Posts with the token, and takes what comes until there is an answer. */
    private String post(Client client, String body) throws Exception {
        client.write(head("secret", body.length()) + body);
        reading.until(client::isAnswered);
        return client.answer();
    }

    private static String expecting(String token, int length) {
        return head(token, length).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    }

    private static String head(String token, int length) {
        return "POST /v1/measurements HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                + token + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** A connection of which each byte is in hand. */
    private final class Client implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private int first = -1;

        private Client() throws IOException {
            this(new Socket(InetAddress.getLoopbackAddress(), source.port()));
        }

        private Client(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(LIMIT_MILLIS);
            in = socket.getInputStream();
        }

        private Client write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            return this;
        }

        /** Whether something has come, or the end. */
        private boolean isAnswered() {
            try {
                if (first < 0) {
                    socket.setSoTimeout(1);
                    first = in.read();
                }
                return first >= 0;
            } catch (SocketTimeoutException notYet) {
                return false;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The next answer, head and body. */
        private String answer() throws IOException {
            socket.setSoTimeout(LIMIT_MILLIS);
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("\r\n\r\n") < 0) {
                answer.append((char) next());
            }
            String length = answer.toString().replaceAll("(?s).*content-length: (\\d+).*", "$1");
            for (int i = length.equals(answer.toString()) ? 0 : Integer.parseInt(length); i > 0; i--) {
                answer.append((char) next());
            }
            return answer.toString();
        }

        private int next() throws IOException {
            int next = first >= 0 ? first : in.read();
            first = -1;
            if (next < 0) {
                throw new IOException("closed without an answer");
            }
            return next;
        }

        /** Whether the other side closes it. */
        private boolean isClosed() {
            try {
                return in.read() < 0;
            } catch (SocketTimeoutException e) {
                return false;
            } catch (IOException reset) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
