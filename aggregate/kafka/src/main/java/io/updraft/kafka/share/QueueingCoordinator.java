package io.updraft.kafka.share;

import io.updraft.base.thread.DaemonThreads;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The common part of coordinators: the owned shares, and queues of requests that the coordinator's own thread serves. */
abstract class QueueingCoordinator implements ShareCoordinator {

    /** A commit that the coordinator's thread makes, and repeats until the deadline. */
    public record PendingCommit(List<Share.Commit> commits, CompletableFuture<Void> result, long deadline) {

        public List<Share.Ownership> owners() {
            return commits.stream().map(Share.Commit::ownership).toList();
        }
    }

    protected final Thread thread;
    protected final TransactionalIds ids;
    protected ShareCoordinator.Listener listener;
    protected volatile boolean leaving;

    /** Guarded by this. */
    protected final Map<Share, Share.Ownership> owned = new TreeMap<>();

    private final Duration timeout;
    private final String left;
    protected final String refused;
    private final Queue<PendingCommit> pending = new ConcurrentLinkedQueue<>();
    /** The requests for the group's positions that have no answer yet. */
    protected final Queue<CompletableFuture<Map<ClusterPartition, Long>>> questions = new ConcurrentLinkedQueue<>();
    // Guarded by this.
    private boolean ended;
    private long commits;

    /**
     * Creates a coordinator that has not joined the group.
     *
     * @param left why requests are refused after the end
     * @param refused why commits of shares that are no longer owned are refused
     */
    protected QueueingCoordinator(String group, Duration timeout, String left, String refused) {
        this.timeout = timeout;
        this.left = left;
        this.refused = refused;
        this.ids = new TransactionalIds(group);
        this.thread = DaemonThreads.create("units-" + group, this::run);
    }

    protected abstract void run();

    /** Makes a commit of owned shares. Called by the coordinator's thread. */
    protected abstract void commit(PendingCommit commit);

    protected void wake() {}

    protected boolean mayOwn() {
        return true;
    }

    @Override
    public void join(ShareCoordinator.Listener listener) {
        this.listener = listener;
        thread.start();
    }

    @Override
    public CompletableFuture<Void> commit(List<Share.Commit> commits) {
        PendingCommit commit = new PendingCommit(List.copyOf(commits), new CompletableFuture<>(), deadline());
        synchronized (this) {
            if (ended) {
                commit.result.completeExceptionally(new FencedException(commit.owners(), left));
            } else {
                pending.add(commit);
            }
        }
        wake();
        return commit.result;
    }

    /** Returns when a release or commit that begins now times out, nanoseconds. */
    protected final long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    @Override
    public CompletableFuture<Map<ClusterPartition, Long>> positions() {
        CompletableFuture<Map<ClusterPartition, Long>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                answer.completeExceptionally(new FencedException(List.of(), left));
            } else {
                questions.add(answer);
            }
        }
        wake();
        return answer;
    }

    @Override
    public void close() {
        leaving = true;
        wake();
        if (Thread.currentThread() != thread) {
            DaemonThreads.join(thread, 0);
        }
    }

    protected final synchronized List<Share.Ownership> ended(List<Share.Commit> commits) {
        boolean may = mayOwn();
        return commits.stream()
                .map(Share.Commit::ownership)
                .filter(ownership -> !may || !ownership.equals(owned.get(ownership.share())))
                .toList();
    }

    protected final synchronized List<Share.Ownership> all() {
        return List.copyOf(owned.values());
    }

    /** Ends ownerships. Returns those that had not ended yet. */
    protected final synchronized List<Share.Ownership> disown(Collection<Share.Ownership> shares) {
        return shares.stream()
                .filter(ownership -> owned.remove(ownership.share(), ownership))
                .toList();
    }

    /** Returns the offsets of commits, stamped with the next number. */
    protected final synchronized Map<TopicPartition, OffsetAndMetadata> stamped(List<Share.Commit> asked) {
        return StampedOffsets.offsets(asked, commits++);
    }

    protected final void serveCommits() {
        for (int waiting = pending.size(); waiting > 0; waiting--) {
            PendingCommit next = pending.remove();
            List<Share.Ownership> over = ended(next.commits);
            if (over.isEmpty()) {
                commit(next);
            } else {
                next.result.completeExceptionally(new FencedException(over, refused));
            }
        }
    }

    protected final void retry(PendingCommit commit, Exception failure) {
        if (System.nanoTime() - commit.deadline < 0) {
            pending.add(commit);
        } else {
            commit.result.completeExceptionally(failure);
        }
    }

    protected final void end(Throwable failure) {
        synchronized (this) {
            ended = true;
        }
        for (PendingCommit commit = pending.poll(); commit != null; commit = pending.poll()) {
            commit.result.completeExceptionally(new FencedException(commit.owners(), left));
        }
        questions.forEach(answer -> answer.completeExceptionally(new FencedException(List.of(), left)));
        if (failure != null) {
            listener.onFailed(failure);
        }
    }
}
