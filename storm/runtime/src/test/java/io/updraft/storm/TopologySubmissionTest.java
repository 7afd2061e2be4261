package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.api.EngineStarter;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.run.Engine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submissions that take long, and submissions that fail halfway. */
@SuppressWarnings("serial")
class TopologySubmissionTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch starting = new CountDownLatch(1);
    private final CountDownLatch mayStart = new CountDownLatch(1);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicBoolean failsWhenActivated = new AtomicBoolean();

    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withEngines(engines()).build();

    @BeforeEach
    void reset() {
        RunningComponents.reset(() -> {});
    }

    @AfterEach
    void close() {
        mayStart.countDown();
        cluster.close();
    }

    /** Engines as always; one of a topology "slow" takes as long as workers may. */
    private EngineStarter engines() {
        return (topology, conf, options) -> {
            if (options.name().equals("slow")) {
                starting.countDown();
                await(mayStart);
            }
            Engine engine = Engine.start(topology, conf, options);
            started.incrementAndGet();
            open.incrementAndGet();
            return watched(engine);
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvalidTopology("interrupted while workers were started", e);
        }
    }

    private TopologyEngine watched(Engine engine) {
        return (TopologyEngine) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TopologyEngine.class}, (self, method, args) -> {
                    if (method.getName().equals("activate") && failsWhenActivated.get()) {
                        throw new IllegalStateException("the workers' coordinator is gone");
                    }
                    if (method.getName().equals("close")) {
                        open.decrementAndGet();
                    }
                    try {
                        return method.invoke(engine, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletableFuture<Void> submitSlow() throws InterruptedException {
        CompletableFuture<Void> submitted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                cluster.submitTopology("slow", Map.of(), RunningComponents.numbers());
                submitted.complete(null);
            } catch (Exception | Error e) {
                submitted.completeExceptionally(Thread.currentThread().isInterrupted() ? new AssertionError(e) : e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        starting.await();
        return submitted;
    }

    @Test
    void shouldTakeOthersWhileOneIsStarted() throws Exception {
        CompletableFuture<Void> slow = submitSlow();

        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            try {
                cluster.submitTopology("quick", Map.of(), RunningComponents.numbers());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(other).succeedsWithin(SOON);
        assertThat(cluster.topologyNames()).containsExactly("quick");
        assertThat(cluster.starts().ids()).hasSize(1);
        assertThat(cluster.starts().isFree("slow")).isFalse();
        assertThatThrownBy(() -> cluster.submitTopology("slow", Map.of(), RunningComponents.numbers()))
                .isInstanceOf(AlreadyAliveException.class);

        mayStart.countDown();
        assertThat(slow).succeedsWithin(SOON);
        assertThat(cluster.topologyNames()).containsExactly("quick", "slow");
    }

    @Test
    void shouldNotWaitForWorkersThatStartWhenItIsClosed() throws Exception {
        CompletableFuture<Void> slow = submitSlow();

        assertThat(CompletableFuture.runAsync(cluster::close)).succeedsWithin(SOON);

        assertThat(slow)
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withCauseExactlyInstanceOf(IllegalStateException.class)
                .withMessageContaining("the cluster is closed");
        assertThat(started).hasValue(0);
        assertThat(cluster.topologyNames()).isEmpty();
    }

    @Test
    void shouldLeaveNothingOfATopologyThatCannotBeActivated() {
        failsWhenActivated.set(true);

        assertThatThrownBy(() -> cluster.submitTopology("a", Map.of(), RunningComponents.numbers()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the workers' coordinator is gone");

        assertThat(started).hasValue(1);
        assertThat(open).hasValue(0);
        assertThat(cluster.starts().isFree("a")).isTrue();
    }

    /** A class that its hook needs is not there. */
    static final class HookWithoutItsClass extends BaseWorkerHook {
        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            throw new NoClassDefFoundError("com/acme/Missing");
        }
    }

    @Test
    void shouldLeaveNothingOfATopologyWhoseHookCannotBeLoaded() {
        TopologyBuilder builder = RunningComponents.builder();
        builder.addWorkerHook(new HookWithoutItsClass());
        StormTopology topology = builder.createTopology();

        assertThatThrownBy(() -> cluster.submitTopology("hooked", Map.of(), topology))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("com/acme/Missing");

        assertThat(started).hasValue(1);
        assertThat(open).hasValue(0);
        assertThat(cluster.starts().isFree("hooked")).isTrue();
    }
}
