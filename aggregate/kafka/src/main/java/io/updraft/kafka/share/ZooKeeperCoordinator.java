package io.updraft.kafka.share;

import io.updraft.base.thread.DaemonThreads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns shares through ZooKeeper, for shares that span Kafka clusters.
 *
 * <p>One member is the leader and writes the allocation ({@code Allocation}); the others watch it. A share changes hands when
 * its owner has released its lock, or when ZooKeeper has deleted the lock at the end of the owner's session. An owner that gets
 * no answer from ZooKeeper gives up its shares at three quarters of the session timeout, by its own clock. It then begins a new
 * life with a new session and a new name. It stays an owner through shorter outages, such as a restart of ZooKeeper.
 *
 * <p>Positions are in the znode of their share. A later owner has changed the znode's version, so a late commit is refused.
 * Positions are copied to each cluster's own consumer offsets, so that tools show the lag. For exactly-once they are in the
 * transactions of one cluster instead ({@link ZooKeeperSettings#transactions}). If a share was not released, or its owner
 * was slow to release it, the next owner first fences the former owner's {@code transactional.id}. That id belongs to one life:
 * what is owned in a life is committed by a producer with the id of that life, or not at all.
 */
public final class ZooKeeperCoordinator extends QueueingCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);

    private static final String NO_SESSION = "ZooKeeper has not heard of this process for too long";

    private record Releasing(List<Share.Ownership> shares, CompletableFuture<Void> done, long deadline) {
        boolean isReleased() {
            return done.isDone() && !done.isCompletedExceptionally();
        }
    }

    private final ZooKeeperSettings settings;
    private final Thread guard;
    private final Semaphore wakeups = new Semaphore(0);
    /** Held during calls of the listener, because both the guard's and the coordinator's thread call it. */
    private final ReentrantLock callbacks = new ReentrantLock();

    /** Why the guard's thread ended unexpectedly; null if it did not. Without it nothing watches the lease. */
    private volatile Throwable unguarded;

    // Guarded by this.
    private ZooKeeperSession session;
    private ConsumerGroupMetadata group;

    // The coordinator's thread.
    private final List<Releasing> releasing = new ArrayList<>();
    private AcquiredShares acquired;
    private ShareClusters clusters;
    private final StandbyLog standby = new StandbyLog();

    /** Creates a coordinator that has not joined the group. */
    public ZooKeeperCoordinator(ZooKeeperSettings settings) {
        super(
                settings.group(),
                settings.patience(),
                "This process has left group " + settings.group() + " or lost the shares.",
                "This process has left group " + settings.group() + " or lost the shares.");
        this.settings = settings;
        this.guard = DaemonThreads.create("lease-" + settings.group(), this::guard);
    }

    @Override
    public void join(ShareCoordinator.Listener listener) {
        super.join(listener);
        guard.start();
    }

    @Override
    public synchronized String transactionalId() {
        if (session == null) {
            throw new CommitFailedException("there is no session with ZooKeeper at the moment; retry soon");
        }
        return ids.of(session.member);
    }

    @Override
    public CompletableFuture<Void> commit(List<Share.Commit> commits) {
        if (settings.transactions().isPresent()) {
            throw new UnsupportedOperationException("positions of group " + settings.group()
                    + " are committed in transactions: use a TransactionalWriter");
        }
        return commits.isEmpty() ? CompletableFuture.completedFuture(null) : super.commit(commits);
    }

    @Override
    public synchronized TransactionOffsets transactionOffsets(List<Share.Commit> commits) {
        List<Share.Ownership> over = ended(commits);
        if (!over.isEmpty()) {
            throw new FencedException(over, refused);
        }
        ClusterTopics home = settings.home();
        List<Share.Commit> packed = commits.stream()
                .map(commit ->
                        new Share.Commit(commit.ownership(), ForeignPositions.pack(home.name(), commit.progress())))
                .toList();
        // No generation: fencing uses the transactional id.
        return new TransactionOffsets(stamped(packed), group, transactionalId());
    }

    @Override
    protected void wake() {
        wakeups.release();
    }

    @Override
    protected synchronized boolean mayOwn() {
        return session != null && session.lease().holds();
    }

    // ---- the guard's thread

    private void guard() {
        try {
            watch();
        } catch (RuntimeException | Error e) {
            unguarded = e;
            wake();
        }
    }

    private void watch() {
        long step = settings.session().toNanos() / 40;
        for (int turn = 0; thread.isAlive(); turn++) {
            ZooKeeperSession now = current();
            if (now != null && !now.lease().holds()) {
                reportLost(all(), NO_SESSION);
                wake();
            } else if (now != null && turn % 4 == 0) {
                // On this thread, because the coordinator's thread may be waiting for Kafka.
                now.touchInBackground();
            }
            LockSupport.parkNanos(step);
        }
    }

    private synchronized ZooKeeperSession current() {
        return session;
    }

    /** Notifies the listener of the shares that are still owned, once. */
    private void reportLost(Collection<Share.Ownership> shares, String reason) {
        callbacks.lock();
        try {
            List<Share.Ownership> lost = disown(shares);
            if (!lost.isEmpty()) {
                LOG.warn("this process has lost {}: {}", lost, reason);
                listener.onLost(lost, reason);
            }
        } finally {
            callbacks.unlock();
        }
    }

    // ---- the coordinator's thread

    @Override
    protected void run() {
        Throwable failure = null;
        try (ShareClusters clusters = new ShareClusters(settings)) {
            this.clusters = clusters;
            readGroupMetadata();
            while (isRunning()) {
                runSession();
            }
            failure = unguarded;
        } catch (RuntimeException | Error e) {
            // Thrown by Kafka or by the listener.
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(failure);
        }
    }

    private boolean isRunning() {
        return !leaving && unguarded == null;
    }

    /** Takes the group's metadata from a consumer that is not a member of the group, so there is no generation to check. */
    private void readGroupMetadata() {
        if (settings.transactions().isEmpty()) {
            return;
        }
        Map<String, Object> properties = new HashMap<>(settings.home().properties());
        properties.put("group.id", settings.group());
        Deserializer<byte[]> bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            synchronized (this) {
                group = consumer.groupMetadata();
            }
        }
    }

    /** Runs one life, from a new session to its end. */
    private void runSession() throws InterruptedException {
        try (ZooKeeperSession session = new ZooKeeperSession(settings, this::wake)) {
            if (!session.connect()) {
                LOG.warn("ZooKeeper at {} does not answer; retrying", settings.connect());
                return;
            }
            acquired = new AcquiredShares(session, settings, ids, clusters);
            synchronized (this) {
                this.session = session;
            }
            while (isRunning() && session.lease().holds()) {
                turn(session);
                wakeups.tryAcquire(settings.session().toMillis() / 10, TimeUnit.MILLISECONDS);
                wakeups.drainPermits();
            }
            releaseAll(session);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            LOG.warn("cannot start a session with ZooKeeper; retrying: {}", e.toString());
        } finally {
            endSession();
        }
    }

    private void endSession() {
        reportLost(all(), NO_SESSION);
        synchronized (this) {
            session = null;
        }
        releasing.clear();
        serveCommits();
    }

    private void turn(ZooKeeperSession session) throws InterruptedException {
        try {
            session.touch();
            serveCommits();
            if (session.leads()) {
                session.allocate(clusters.shares());
            }
            SortedSet<Share> allocated = session.allocated();
            revoke(allocated, "the leader of group " + settings.group() + " has given it to another process");
            revoke(acquired.unchanged(allocated), "partitions were added to it");
            release();
            acquired.acquire(allocated);
            start(session);
            reportStandby(session);
            answerPositions(session);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (KeeperException.SessionExpiredException e) {
            session.lease().end();
        } catch (KeeperException.BadVersionException e) {
            LOG.info("another member has become the leader");
        } catch (Exception e) {
            // ZooKeeper or Kafka does not answer. The lease limits how long ZooKeeper may be silent.
            LOG.info("ZooKeeper or Kafka does not answer; retrying: {}", e.toString());
        }
    }

    private void reportStandby(ZooKeeperSession session) throws Exception {
        Object topics = settings.clusters().get(0).topics();
        if (!all().isEmpty()) {
            standby.work(all().size(), topics);
        } else if (session.isSurplus()) {
            standby.standBy(topics, "each share of group " + settings.group() + " has a process of its own");
        }
    }

    private void revoke(Collection<Share> allocated, String reason) {
        callbacks.lock();
        try {
            List<Share.Ownership> leaver = all().stream()
                    .filter(ownership -> !allocated.contains(ownership.share()))
                    .filter(ownership -> releasing.stream().noneMatch(release -> release.shares.contains(ownership)))
                    .toList();
            if (!leaver.isEmpty()) {
                CompletableFuture<Void> done =
                        listener.onRevoked(leaver, reason).toCompletableFuture();
                done.whenComplete((nothing, e) -> wake());
                releasing.add(new Releasing(leaver, done, deadline()));
            }
        } finally {
            callbacks.unlock();
        }
    }

    private void release() throws Exception {
        for (Iterator<Releasing> releases = releasing.iterator(); releases.hasNext(); ) {
            Releasing next = releases.next();
            if (!next.done.isDone() && System.nanoTime() - next.deadline < 0) {
                continue;
            }
            if (!next.isReleased()) {
                LOG.warn(
                        "{} were not released in time; commits of them are refused, the next owner redoes the work",
                        next.shares);
                reportLost(next.shares, "this process has not released them in time");
                // Their commit may be in flight, so the next owner fences this process first.
                next.shares.forEach(ownership -> acquired.markOverdue(ownership.share()));
            }
            disown(next.shares);
            for (Share.Ownership ownership : next.shares) {
                acquired.release(ownership.share());
            }
            releases.remove();
        }
    }

    private void start(ZooKeeperSession session) throws Exception {
        List<Share.Assigned> started = acquired.start();
        callbacks.lock();
        try {
            if (!started.isEmpty() && session.lease().holds()) {
                synchronized (this) {
                    started.forEach(assigned -> owned.put(assigned.share(), assigned.ownership()));
                }
                acquired.started();
                listener.onAssigned(started);
            }
        } finally {
            callbacks.unlock();
        }
    }

    private void answerPositions(ZooKeeperSession session) throws Exception {
        if (questions.isEmpty()) {
            return;
        }
        Map<Share, ShareNode> all = new TreeMap<>();
        for (int share = 0; share < clusters.shares(); share++) {
            all.put(new Share(share), session.read(new Share(share)));
        }
        Map<ClusterPartition, Long> found = new TreeMap<>();
        clusters.positions(all.keySet(), all).values().forEach(progress -> found.putAll(progress.positions()));
        for (var answer = questions.poll(); answer != null; answer = questions.poll()) {
            answer.complete(found);
        }
    }

    @Override
    protected void commit(PendingCommit asked) {
        try {
            acquired.commit(asked.commits());
            asked.result().complete(null);
        } catch (KeeperException.BadVersionException | KeeperException.SessionExpiredException e) {
            session.lease().end();
            asked.result().completeExceptionally(new FencedException(asked.owners(), refused));
        } catch (KeeperException e) {
            retry(asked, e);
        } catch (Exception e) {
            asked.result().completeExceptionally(e);
        }
    }

    private void releaseAll(ZooKeeperSession session) throws InterruptedException {
        if (!session.lease().holds()) {
            return;
        }
        revoke(List.of(), "this process leaves group " + settings.group());
        while (!releasing.isEmpty() && session.lease().holds()) {
            try {
                session.touch();
                serveCommits();
                release();
            } catch (InterruptedException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                LOG.info("cannot release the shares; retrying: {}", e.toString());
            }
            wakeups.tryAcquire(10, TimeUnit.MILLISECONDS);
        }
    }
}
