package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The harness and what connects to it. That a worker is a process of its own does not matter here. */
class WorkerReportsTest {

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
        try (Socket socket = connect(wrong)) {
            assertEnds(socket);
        }
        assertThat(reports.workers()).isZero();
    }

    @Test
    void shouldTurnAwayWhatIsNoWorkerAndGoOn() throws Exception {
        try (Socket socket = connect("GET / HTTP/1.1\r\nHost: some.host.of.the.web\r\n")) {
            assertEnds(socket);
        }
        BenchRunState.of(reports.runId());
        Await.until("the worker is there", () -> reports.workers() == 1);
    }

    @Test
    void shouldNotForgetThatAWorkerWasLost() throws Exception {
        Socket socket = connect(address.token());
        Await.until("the worker is there", () -> reports.workers() == 1);
        socket.close();

        assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS))
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("process id 4711 was lost");
        assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS)).isInstanceOf(RunFailed.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | the worker's answer is not a report",
                "{} | the worker's answer is not a report",
                "{\"tasks\":[],\"gcMillis\":0,\"latencies\":\"AAAA\",\"words\":[]} | latencies cannot be decoded"
            })
    void shouldNotBelieveAWorkerThatAnswersNonsense(String answer, String complaint) throws Exception {
        try (Socket socket = connect(address.token())) {
            Await.until("the worker is there", () -> reports.workers() == 1);
            socket.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));

            assertThatThrownBy(() -> reports.ask(BenchQuery.COUNTS))
                    .isInstanceOf(RunFailed.class)
                    .cause()
                    .hasMessageContaining(complaint);
        }
    }

    private static void assertEnds(Socket socket) {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset"); // what was sent and not read makes it so
        }
    }

    private Socket connect(String token) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
        socket.getOutputStream().write((token + " 4711\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
