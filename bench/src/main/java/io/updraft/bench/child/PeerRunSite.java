package io.updraft.bench.child;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.RunFailed;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.generated.StormTopology;

/** Runs a peer's job in this JVM, in place of the topology. */
final class PeerRunSite extends InProcessRunSite {

    private static final Duration END_LIMIT = Duration.ofSeconds(60);

    private final PeerRuntime peer;
    private final Shape shape;
    private final Duration endLimit;
    private CompletableFuture<?> end;

    PeerRunSite(PeerRuntime peer, Shape shape) {
        this(peer, shape, END_LIMIT);
    }

    PeerRunSite(PeerRuntime peer, Shape shape, Duration endLimit) {
        super(null);
        this.peer = peer;
        this.shape = shape;
        this.endLimit = endLimit;
    }

    @Override
    public void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        end = peer.start(runId(), shape, conf);
    }

    /**
     * Executes the question's command. After {@link BenchQuery#QUIET} it waits until the job has ended.
     *
     * @throws RunFailed when the job has failed, or does not end
     */
    @Override
    public BenchRunState ask(BenchQuery question) {
        BenchRunState state = super.ask(question);
        if (question == BenchQuery.QUIET) {
            awaitEnd(end.copy().orTimeout(endLimit.toMillis(), TimeUnit.MILLISECONDS));
        } else if (end.isCompletedExceptionally()) {
            awaitEnd(end);
        }
        return state;
    }

    private void awaitEnd(CompletableFuture<?> ended) {
        try {
            ended.join();
        } catch (CompletionException e) {
            Throwable cause = rootOf(e);
            String message = cause instanceof TimeoutException && cause.getMessage() == null
                    ? "did not end within " + endLimit.toSeconds() + " s"
                    : "failed: " + cause;
            throw new RunFailed("the job " + message, e);
        }
    }

    private static Throwable rootOf(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
