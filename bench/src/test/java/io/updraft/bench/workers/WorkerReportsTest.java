package io.updraft.bench.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.bench.topology.state.BenchQuery;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import io.updraft.bench.topology.state.RunAddress;
import io.updraft.bench.topology.state.TaskCounter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The harness and what connects to it. That a worker is a process of its own does not matter here. */
class WorkerReportsTest {

    private static final int MAGIC = 0x55425731;

    private WorkerReports reports;
    private RunAddress address;

    @BeforeEach
    void open() throws IOException {
        reports = WorkerReports.open();
        address = RunAddress.in(reports.runId()).orElseThrow();
    }

    @AfterEach
    void close() {
        reports.close();
    }

    @Test
    void shouldCountWhatAWorkerCounts() throws Exception {
        BenchRunState worker = BenchRunState.of(reports.runId());
        BenchTaskCounters spout = worker.probe("spout");
        BenchTaskCounters sink = worker.probe("sink");
        spout.emitted();
        spout.emitted();
        sink.received();
        Await.until("the worker is there", () -> reports.workers() == 1);

        BenchRunState reported = reports.ask(BenchQuery.COUNTS);

        assertThat(reported.tasks()).isEqualTo(2);
        assertThat(reported.sum("spout", TaskCounter.EMITTED)).isEqualTo(2);
        assertThat(reported.sum(TaskCounter.RECEIVED)).isEqualTo(1);
        sink.received();
        assertThat(reports.ask(BenchQuery.ALL).sum(TaskCounter.RECEIVED)).isEqualTo(2);
    }

    @Test
    void shouldTellWorkersToBeQuiet() throws Exception {
        BenchRunState worker = BenchRunState.of(reports.runId());
        Await.until("the worker is there", () -> reports.workers() == 1);
        assertThat(worker.isQuiet()).isFalse();

        reports.ask(BenchQuery.QUIET);

        assertThat(worker.isQuiet()).isTrue();
    }

    @Test
    void shouldTurnAwayWhoeverDoesNotKnowTheToken() throws Exception {
        String wrong = "0".repeat(address.token().length());
        try (Socket socket = connect(MAGIC, wrong)) {
            assertEnds(socket);
        }
        assertThat(reports.workers()).isZero();
    }

    @Test
    void shouldTurnAwayWhatIsNoWorkerAndGoOn() throws Exception {
        try (Socket socket = connect(0x47455420, address.token())) {
            assertEnds(socket);
        }
        BenchRunState.of(reports.runId());
        Await.until("the worker is there", () -> reports.workers() == 1);
    }

    @Test
    void shouldNotForgetThatAWorkerWasLost() throws Exception {
        Socket socket = connect(MAGIC, address.token());
        Await.until("the worker is there", () -> reports.workers() == 1);
        socket.close();

        assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS))
                .isInstanceOf(WorkerLost.class)
                .hasMessageContaining("process id 4711 was lost");
        assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS)).isInstanceOf(WorkerLost.class);
    }

    @Test
    void shouldNotBelieveAWorkerThatAnswersNonsense() throws Exception {
        try (Socket socket = connect(MAGIC, address.token())) {
            Await.until("the worker is there", () -> reports.workers() == 1);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeLong(0);
            out.writeInt(Integer.MAX_VALUE);

            assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS))
                    .isInstanceOf(WorkerLost.class)
                    .cause()
                    .hasMessageContaining("a size of 2147483647");
        }
    }

    private static void assertEnds(Socket socket) {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset"); // what was sent and not read makes it so
        }
    }

    /** All in one write: whoever turns a connection away does not read on. */
    private Socket connect(int magic, String token) throws IOException {
        byte[] characters = token.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(hello);
        out.writeInt(magic);
        out.writeInt(characters.length);
        out.write(characters);
        out.writeLong(4711);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
        socket.getOutputStream().write(hello.toByteArray());
        return socket;
    }
}
