package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.storm.CountHistory.CountHistoryTimer;
import io.updraft.storm.context.TopologyContexts;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CountHistoryTimerTest {
    private final TopologyRegistry topologies = new TopologyRegistry();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger otherLooks = new AtomicInteger();

    @Test
    void shouldGoOnLookingAfterATopologyThatCouldNotBeLookedAt() throws Exception {
        topologies.add(topology("broken", looks));
        topologies.add(topology("other", otherLooks));
        try (CountHistoryTimer keeper = new CountHistoryTimer(topologies, Duration.ofMillis(1))) {
            keeper.start();
            Await.until("it looks again", () -> looks.get() > 2 && otherLooks.get() > 2);
        }
        assertThat(otherLooks.get()).isBetween(looks.get() - 1, looks.get());
    }

    /** One whose state cannot be asked for, as that of workers cannot while they are being closed. */
    private static EmbeddedTopology topology(String name, AtomicInteger asked) {
        TopologyEngine engine = (TopologyEngine) Proxy.newProxyInstance(
                CountHistoryTimerTest.class.getClassLoader(),
                new Class<?>[] {TopologyEngine.class},
                (self, method, args) -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("it is being closed");
                });
        return new EmbeddedTopology(name, name + "-1", null, Map.of(), engine, new TopologyContexts(), () -> {});
    }
}
