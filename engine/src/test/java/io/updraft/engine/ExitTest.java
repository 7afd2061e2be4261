package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A component that calls {@code System.exit}; an endless wait replaces the call. */
@SuppressWarnings("serial")
class ExitTest {
    private static final BlockingQueue<Thread> CALLERS = new LinkedBlockingQueue<>();
    private static final CountDownLatch CLEANED_UP = new CountDownLatch(1);

    @AutoClose
    private final TestTopology topology = new TestTopology();

    /** Whatever interrupts it, as in the JVM's shutdown. */
    private static void exit() {
        CALLERS.add(Thread.currentThread());
        while (true) {
            LockSupport.park();
        }
    }

    private TestEngine runWith(BaseBasicBolt quitter) {
        topology.setSpout("spout", Feed.of(1_000).spout());
        topology.setBolt("quitter", quitter).shuffleGrouping("spout");
        topology.setBolt("other", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    public void cleanup() {
                        CLEANED_UP.countDown();
                    }
                }))
                .shuffleGrouping("spout");
        return topology.run(Map.of("updraft.loops", 1));
    }

    private static StackTraceElement[] stackOf(Thread thread) {
        List<StackTraceElement> stack = new ArrayList<>(List.of(
                new StackTraceElement("java.lang.Runtime", "exit", null, 1),
                new StackTraceElement("java.lang.System", "exit", null, 1)));
        stack.addAll(Arrays.asList(thread.getStackTrace()));
        return stack.toArray(StackTraceElement[]::new);
    }

    @Test
    void shouldNameTheComponentInWhoseTurnTheExitWasCalledAndWaitForAllOthers() throws Exception {
        TestEngine running = runWith(new InItsTurn());
        Thread caller = CALLERS.take();
        assertThat(running.engine.exitCalled(caller, stackOf(caller))).isTrue();
        running.await("its death", () -> !running.deaths.isEmpty());
        ErrorReport death = running.deaths.remove();
        assertThat(death.where()).startsWith("quitter[");
        assertThat(death.during()).isEqualTo("execute");
        assertThat(death.error()).isInstanceOf(ExitCalled.class).hasMessageContaining("System.exit was called at ");
        assertThat(running.component("quitter").errors()).isEqualTo(1);
        running.engine.close();
        // Whoever is waited for in vain is interrupted in the end.
        assertThat(caller.isInterrupted()).isFalse();
        assertThat(CLEANED_UP.getCount()).isZero();
    }

    @Test
    void shouldNameTheComponentThatHasStartedTheThread() throws Exception {
        try (TestEngine running = runWith(new OnItsThread())) {
            Thread caller = CALLERS.take();
            assertThat(running.engine.exitCalled(caller, stackOf(caller))).isTrue();
            running.await("its death", () -> !running.deaths.isEmpty());
            ErrorReport death = running.deaths.remove();
            assertThat(death.where()).isEqualTo("quitter");
            assertThat(death.during()).isEqualTo("thread 'of its own'");
        }
    }

    @Test
    void shouldGoOnWhereTheThreadIsNoComponents() throws Exception {
        try (TestEngine running = runWith(new OnItsThread())) {
            CALLERS.take();
            assertThat(running.engine.exitCalled(Thread.currentThread(), stackOf(Thread.currentThread())))
                    .isFalse();
            assertThat(running.engine.isActive()).isTrue();
        }
    }

    private static class Sink extends BaseBasicBolt {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static final class InItsTurn extends Sink {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            exit();
        }
    }

    private static final class OnItsThread extends Sink {
        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            Thread thread = new Thread(() -> OnItsThread.leave(), "of its own");
            thread.setDaemon(true);
            thread.start();
        }

        private static void leave() {
            exit();
        }
    }
}
