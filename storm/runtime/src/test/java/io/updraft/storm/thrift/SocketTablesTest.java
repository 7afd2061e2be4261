package io.updraft.storm.thrift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketTablesTest {
    private static final String HEADER =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    @TempDir
    private Path tables;

    @BeforeEach
    void needWordsInTheOrderOfTheSamples() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the samples are of little-endian hosts");
    }

    @Test
    void shouldFindWhoConnectedByIPv4() throws IOException {
        write(
                "tcp",
                "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 7001 1 0000 20",
                "   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 7002 1 0000 20");

        assertThat(new SocketTables(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .hasValue(1000);
    }

    @Test
    void shouldFindWhoConnectedByASocketForBoth() throws IOException {
        write(
                "tcp",
                "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 7001 1 0000 20");
        write(
                "tcp6",
                "   0: 0000000000000000FFFF00000100007F:9C40 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000 65534        0 7002 1 0 20");

        assertThat(new SocketTables(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .hasValue(65_534);
    }

    @Test
    void shouldNotTakeTheRemainsOfASocketForRoots() throws IOException {
        write(
                "tcp",
                "   1: 0100007F:9C40 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000 20",
                "   2: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0000 20");

        assertThat(new SocketTables(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .isEmpty();
    }

    @Test
    void shouldReadOnceForAllThatWaited() throws Exception {
        write(
                "tcp",
                "   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 7002 1 0000 20");
        SocketTables users = new SocketTables(tables);
        find(users, new ConcurrentLinkedQueue<>());
        List<Thread> callers = new ArrayList<>();
        Queue<OptionalInt> found = new ConcurrentLinkedQueue<>();
        synchronized (users) {
            for (int i = 0; i < 20; i++) {
                callers.add(new Thread(() -> find(users, found)));
            }
            callers.forEach(Thread::start);
            for (Thread caller : callers) {
                while (caller.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(found).hasSize(20).containsOnly(OptionalInt.of(1000));
        assertThat(users.reads())
                .as("one by itself, and one for all who waited")
                .isEqualTo(2);
    }

    private static void find(SocketTables users, Queue<OptionalInt> found) {
        try {
            found.add(users.of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String table, String... sockets) throws IOException {
        Files.writeString(tables.resolve(table), HEADER + String.join("\n", sockets) + "\n");
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(host, port);
    }
}
