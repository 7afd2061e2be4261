package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.FencedException;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.PartitionPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits positions through the coordinator. At most one commit is in flight; the next one carries the newest positions. A
 * transactional sink commits them with its results instead. Not thread-safe.
 */
final class KafkaCommits {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaCommits.class);

    /** How long the end of a run waits for the answer to the last commit. */
    private static final Duration LAST_COMMIT = Duration.ofSeconds(5);

    private final ShareCoordinator coordinator;
    private final Map<KafkaShare, Map<String, PartitionPosition>> waiting = new LinkedHashMap<>();
    private CompletableFuture<Void> committing = CompletableFuture.completedFuture(null);
    /** Why the last commit was refused; null if it was not. Written by the thread that receives the answer. */
    private volatile Throwable refused;
    /** Whether offsets of another program were reported. */
    private boolean foreign;

    KafkaCommits(ShareCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    void put(KafkaShare share, PartitionPosition commit) {
        waiting.computeIfAbsent(share, each -> new HashMap<>()).put(commit.partition(), commit);
    }

    void remove(KafkaShare share) {
        waiting.remove(share);
    }

    /** Sends the waiting positions, unless there is no answer to the previous ones yet. */
    void send() {
        if (waiting.isEmpty() || !committing.isDone()) {
            return;
        }
        List<Share.Commit> commits = new ArrayList<>();
        waiting.forEach((share, positions) -> share.commit(positions.values()).ifPresent(commits::add));
        waiting.clear();
        if (commits.isEmpty()) {
            return;
        }
        committing = coordinator.commit(commits).handle((done, failure) -> {
            refused = failure == null || failure.getCause() == null ? failure : failure.getCause();
            // A later commit covers this one. A partition that this process has lost is committed by its new owner.
            if (refused instanceof FencedException) {
                LOG.info("{}", refused.getMessage());
            } else if (refused != null) {
                LOG.warn("positions were not committed: {}", refused.toString());
            }
            return null;
        });
    }

    /** Waits for the previous answer, then sends the rest: the last commit covers all, and must come last. */
    void sendLast() {
        try {
            committing.get(LAST_COMMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("positions were not committed within {} s", LAST_COMMIT.toSeconds());
        }
        send();
    }

    /** Another program that uses the group, or a reset by hand, decides where reading begins: not the key 'start'. */
    void warnOfForeign(Share.Progress progress, String group) {
        if (!foreign && !progress.positions().isEmpty() && progress.metadata().isEmpty()) {
            foreign = true;
            LOG.warn(
                    "group {} has offsets that no pipeline has committed, such as {}: reading begins there, and skips"
                            + " earlier records. If another program uses this group, give the pipeline another 'group'",
                    group,
                    progress.positions());
        }
    }

    void warnIfRefused(List<String> topics) {
        if (refused != null) {
            LOG.warn(
                    "the last positions of {} were not committed: the next run reads the records after the last"
                            + " commit again, and writes their results again: {}",
                    topics,
                    refused.getMessage());
        }
    }
}
