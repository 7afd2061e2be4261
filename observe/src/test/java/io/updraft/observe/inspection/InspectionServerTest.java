package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.JsonObject;
import io.updraft.base.testing.Await;
import io.updraft.observe.inspection.InspectionClient.RefusedRequestException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectionServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final CountDownLatch never = new CountDownLatch(1);
    private Path socket;
    private InspectionServer server;

    @BeforeEach
    void open() throws IOException {
        socket = directory.resolve("it.sock");
        server = InspectionServer.open(
                socket,
                Map.of(
                        "echo",
                        request -> JsonObject.of("text", request.get("text")).with("number", request.get("number")),
                        "large",
                        request -> JsonObject.of("text", "x".repeat(50_000_000)),
                        "fail",
                        request -> {
                            throw new IllegalStateException("first line\nsecond line");
                        },
                        "recurse",
                        request -> recursion(),
                        "hang",
                        request -> {
                            never.await();
                            return JsonObject.of();
                        }));
    }

    @AfterEach
    void close() throws IOException {
        never.countDown();
        server.close();
        assertThat(socket).doesNotExist();
    }

    private static JsonObject recursion() {
        return recursion();
    }

    @Test
    void shouldAnswerARequest() throws Exception {
        assertThat(ask("echo", Map.of("text", "a\n/\"\u00fc", "number", 1L << 40)))
                .containsEntry("text", "a\n/\"\u00fc")
                .containsEntry("number", 1L << 40);
        assertThat(ask("large", Map.of()).get("text").toString()).hasSize(50_000_000);
    }

    @Test
    void shouldAnswerAFailureInOneLine() {
        assertThatThrownBy(() -> ask("fail", Map.of()))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessage("first line second line");
        assertThatThrownBy(() -> ask("unknown", Map.of()))
                .hasMessageContaining("does not answer the request 'unknown'");
        assertThatThrownBy(() -> ask("recurse", Map.of())).isInstanceOf(RefusedRequestException.class);
    }

    @Test
    void shouldAnswerNonsenseWithAnError() throws Exception {
        assertThat(send("nonsense\n")).contains("\"error\":\"the request is not");
        assertThat(send("[1, 2]\n")).contains("\"error\":\"the request is not");
        assertThat(send("{\"request\": null}\n")).contains("\"error\":");
        assertThat(send("[".repeat(60_000) + "\n")).contains("\"error\":\"the request is not valid JSON");
        assertThat(send("\u0000\u0001\u0002\n")).contains("\"error\":");
        assertThat(ask("echo", Map.of("text", "still there", "number", 1))).containsEntry("number", 1L);
    }

    @Test
    void shouldRefuseTenMegabytes() throws Exception {
        try (SocketChannel client = connect()) {
            ByteBuffer bytes = ByteBuffer.allocate(10_000_000);
            assertThatThrownBy(() -> {
                        while (bytes.hasRemaining()) {
                            client.write(bytes);
                        }
                        read(client);
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(ask("echo", Map.of("text", "still there", "number", 1))).containsEntry("number", 1L);
    }

    @Test
    void shouldDisconnectAClientThatSendsNothing() throws Exception {
        try (SocketChannel silent = connect()) {
            assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Tag("long")
    @Test
    void shouldDisconnectAClientThatReadsNothing() throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                SocketChannel client = connect();
                clients.add(client);
                client.write(ByteBuffer.wrap("{\"request\": \"large\"}\n".getBytes(StandardCharsets.UTF_8)));
            }
            awaitAnswer();
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    /** All connections are taken until the server gives up a client. */
    private void awaitAnswer() throws Exception {
        Await.until("the server answers", () -> {
            try {
                ask("echo", Map.of("text", "", "number", 1));
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    void shouldNotWaitForAProcessThatDoesNotAnswer() {
        assertThatThrownBy(() -> InspectionClient.ask(socket, "hang", JsonObject.of(), Duration.ofMillis(200)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer in time");
        assertThatThrownBy(() -> InspectionClient.ask(directory.resolve("none.sock"), "echo", JsonObject.of(), LIMIT))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldKeepTheNewestRunsThatWereKilled() throws Exception {
        Path state = directory.resolve("state");
        for (int i = 1; i <= 4; i++) {
            RunDirectory.create(state, killed(1_000_000_000L + i, i));
        }
        RunDescription own = RunDescription.ofThisProcess("run", "it", directory.resolve("it.log"));
        try (RunDirectory living = RunDirectory.create(state, own)) {
            RunDirectory.prune(state, 2);
            assertThat(RunDirectory.all(state))
                    .extracting(run -> run.description().pid())
                    .containsExactly(1_000_000_003L, 1_000_000_004L, own.pid());
            assertThat(Files.getPosixFilePermissions(living.description().sockets()))
                    .hasSize(3);
            assertThat(living.description().isAlive()).isTrue();
        }
        assertThat(RunDirectory.all(state)).hasSize(2);
    }

    @Test
    @SuppressWarnings("try")
    void shouldPutSocketsElsewhereWhenThePathIsLong() throws Exception {
        Path state = directory.resolve("x".repeat(120));
        RunDescription own = RunDescription.ofThisProcess("run", "it", directory.resolve("it.log"));
        try (RunDirectory run = RunDirectory.create(state, own)) {
            assertThat(run.description().sockets().startsWith(state)).isFalse();
            try (InspectionServer other =
                    InspectionServer.open(run.socketOf(own.pid()), Map.of("a", request -> JsonObject.of()))) {
                RunDirectory found = RunDirectory.all(state).get(0);
                assertThat(found.processes()).containsExactly(own.pid());
                assertThat(InspectionClient.ask(found.socketOf(own.pid()), "a", JsonObject.of(), LIMIT))
                        .isEmpty();
            }
            run.close();
            assertThat(run.description().sockets()).doesNotExist();
        }
    }

    private RunDescription killed(long pid, long started) {
        return new RunDescription(pid, 1, started, "run", "it", directory, directory.resolve("it.log"), null);
    }

    private Map<String, Object> ask(String request, Map<String, Object> arguments) throws IOException {
        return InspectionClient.ask(socket, request, new JsonObject(arguments), LIMIT);
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    private String send(String text) throws IOException {
        try (SocketChannel client = connect()) {
            client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            return read(client);
        }
    }

    private static String read(SocketChannel client) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(64 * 1024);
        while (client.read(answer) >= 0) {
            // Until the server closes.
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
    }
}
