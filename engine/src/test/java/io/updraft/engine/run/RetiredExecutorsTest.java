package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class RetiredExecutorsTest {
    private static final int MESSAGES = 5_000;

    @Test
    void shouldKeepTheirCountsAndNothingThatTheyWorkedWith() {
        Feed feed = Feed.of(MESSAGES);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2);
        topology.setBolt("ack", TestBolt.ack(), 1).setNumTasks(2).shuffleGrouping("spout");
        SingleWorker worker = new SingleWorker(topology.createTopology(), 1, 0, 0, 1);
        worker.lifecycle().activate();
        for (int i = 0; i < 10_000 && feed.ackCount() < MESSAGES; i++) {
            worker.run(1);
        }
        worker.run(10);
        assertThat(feed.ackCount()).isEqualTo(MESSAGES);
        List<ExecutorSlot> old = worker.assembly().slots();
        assertThat(old)
                .map(ExecutorSlot::executor)
                .anyMatch(executor -> executor.outbox().batch().capacity()
                                + executor.input().batch().capacity()
                        > 100);

        Plan next = Planner.replan(worker.plan(), Map.of("spout", 2, "ack", 2));
        ExecutorRebalance regroup = new ExecutorRebalance(worker.assembly(), next, Set.of("spout", "ack"));
        assertThat(regroup.prepare(false)).isTrue();
        assertThat(regroup.changeIfReady(false)).isTrue();
        regroup.release();

        assertThat(old).hasSize(2).allSatisfy(slot -> {
            Executor executor = slot.executor();
            assertThat(executor.isRetired()).isTrue();
            assertThat(executor.outbox().batch().capacity()).isZero();
            assertThat(executor.input().batch().capacity()).isZero();
            assertThat(slot.takeInbox().capacity()).isZero();
            assertThat(executor.counters().getAcquire(ExecutorCounter.ACKED)).isEqualTo(MESSAGES);
            if (executor instanceof SpoutExecutor spout) {
                assertThat(spout.trees().tracker().capacity()).isEqualTo(1);
            }
        });
        feed.limit(2 * MESSAGES);
        for (int i = 0; i < 10_000 && feed.ackCount() < 2 * MESSAGES; i++) {
            worker.run(1);
        }
        assertThat(feed.ackCount()).isEqualTo(2 * MESSAGES);
        assertThat(feed.failed).isEmpty();
        assertThat(worker.errors()).isEmpty();
    }
}
