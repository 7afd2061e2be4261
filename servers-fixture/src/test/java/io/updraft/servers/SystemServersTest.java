package io.updraft.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SystemServersTest {

    @Test
    void shouldKeepWhatRedisAnsweredThroughAKill() throws IOException {
        assumeTrue(RedisServer.isInstalled(), RedisServer.missing());
        try (RedisServer redis = RedisServer.start()) {
            assertThat(ask(redis.port(), "SET key value")).isEqualTo("+OK");
            redis.kill();
            assertThatThrownBy(() -> ask(redis.port(), "PING")).isInstanceOf(IOException.class);
            redis.startAgain();
            assertThat(ask(redis.port(), "STRLEN key")).isEqualTo(":5");
        }
    }

    @Test
    void shouldStartPostgresAgainAfterAKillAndLeaveNothing() throws IOException {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.missing());
        int port;
        try (PostgresServer postgres = PostgresServer.start()) {
            port = postgres.port();
            postgres.kill();
            assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(IOException.class);
            postgres.startAgain();
            new Socket("127.0.0.1", port).close();
        }
        assertThat(isGone(port)).isTrue();
    }

    private static boolean isGone(int port) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < deadline) {
            try {
                new Socket("127.0.0.1", port).close();
            } catch (IOException gone) {
                return true;
            }
        }
        return false;
    }

    private static String ask(int port, String command) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[100];
            int length = socket.getInputStream().read(answer);
            return new String(answer, 0, Math.max(0, length), StandardCharsets.US_ASCII).strip();
        }
    }
}
