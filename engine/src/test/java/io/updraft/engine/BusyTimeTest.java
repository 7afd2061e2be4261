package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
    private static final long STILL_NANOS = 300_000_000;

    private final TestTopology topology = new TestTopology();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void release() {
        over.set(true);
    }

    private void untilOver() {
        while (!over.get()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldNotCountWaitingForRoomInEmitAsBusy() {
        AtomicLong emitted = new AtomicLong();
        topology.setSpout("feed", Feed.of(1).spout());
        topology.bolt("split", "feed", (tuple, out) -> {
            while (!over.get()) {
                out.emit(new Values(emitted.incrementAndGet()));
            }
            out.ack(tuple);
        });
        topology.bolt("sink", "split", ackAfter(tuple -> untilOver()));
        try (TestEngine engine = TestEngine.run(topology, Map.of("updraft.queue.high.water", 200))) {
            AtomicLong lastChange = new AtomicLong();
            AtomicLong seen = new AtomicLong(-1);
            AtomicLong busyThen = new AtomicLong();
            engine.await("split waits for room", () -> {
                if (seen.getAndSet(emitted.get()) != emitted.get()) {
                    lastChange.set(System.nanoTime());
                    busyThen.set(engine.component("split").busyNanos());
                }
                return emitted.get() > 0 && System.nanoTime() - lastChange.get() > STILL_NANOS;
            });
            assertThat(engine.component("split").busyNanos() - busyThen.get()).isLessThan(STILL_NANOS / 2);
            assertThat(engine.component("sink").busyNanos()).isGreaterThan(STILL_NANOS / 2);
            over.set(true);
        }
    }
}
