package io.updraft.pipeline.kafka;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.timeseries.query.WindowResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that are committed long before the broker says so. */
@Tag("slow")
class DelayedCommitTest {

    @AutoClose
    private static DelayedCommitBroker broker;

    @BeforeAll
    @Timeout(300)
    static void start() throws Exception {
        broker = new DelayedCommitBroker();
    }

    @Test
    void shouldWriteEachWindowOnceHoweverLateCommitsAreAnswered() throws Exception {
        broker.kafka().createTopic("late", 1, 1);
        Map<String, String> client = Map.of("bootstrap.servers", broker.kafka().bootstrap(), "max.block.ms", "3000");
        KafkaSinkOptions options = new KafkaSinkOptions("late", ResultFormat.CSV, "late-1", null, client);
        try (ResultSink sink = options.sink()) {
            again(() -> sink.open(COLUMNS, DIMENSIONS), () -> {});
            for (int hour = 0; hour < 4; hour++) {
                writeLate(sink, hour(hour, count("AA", hour, 1)));
            }
        }
        assertThat(broker.late()).isEqualTo(4);
        assertThat(read("late")).containsExactly("AA,0", "AA,1", "AA,2", "AA,3");
    }

    /** The first commit is answered only when the sink has given up. */
    private static void writeLate(ResultSink sink, WindowResult result) throws Exception {
        int before = broker.late();
        broker.hold();
        again(
                () -> {
                    sink.write(result, null);
                    sink.flush(List.of());
                },
                () -> {
                    if (broker.late() > before) {
                        broker.answer();
                    }
                });
    }

    private interface Step {
        void run() throws Exception;
    }

    /** As the task does that writes. */
    private static void again(Step step, Runnable atFailure) throws Exception {
        while (true) {
            try {
                step.run();
                return;
            } catch (SinkException e) {
                if (!e.isTransient()) {
                    throw e;
                }
                atFailure.run();
            }
        }
    }

    /** The keys of all that is committed. */
    private static List<String> read(String topic) {
        return broker.kafka().records(topic).stream()
                .map(record -> new String(record.key(), StandardCharsets.UTF_8))
                .toList();
    }
}
