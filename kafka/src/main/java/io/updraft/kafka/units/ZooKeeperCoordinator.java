package io.updraft.kafka.units;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * Shares units with ZooKeeper, for units that span Kafka clusters.
 *
 * <p>One member is the leader and writes the allocation ({@code Allocation}); the others watch it. A unit changes hands when
 * its owner has released its lock, or when ZooKeeper has deleted the lock at the end of the owner's session. An owner that gets
 * no answer from ZooKeeper gives up its units at three quarters of the session timeout, by its own clock. It then begins a new
 * life with a new session and a new name. It stays an owner through shorter outages, such as a restart of ZooKeeper.
 *
 * <p>Positions are in the znode of their unit. A later owner has changed the znode's version, so a late commit is refused.
 * Positions are copied to each cluster's own consumer offsets, so that tools show the lag. For exactly-once they are in the
 * transactions of one cluster instead ({@link ZooKeeperSettings#withTransactionsOf}). If a unit was not released, or its owner
 * was slow to release it, the next owner first fences the former owner's {@code transactional.id}. That id belongs to one life:
 * what is owned in a life is committed by a producer with the id of that life, or not at all.
 */
public final class ZooKeeperCoordinator implements Coordinator {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);
    private static final long ANSWER_MILLIS = 5_000;

    private record Pending(List<UnitCommit> commits, CompletableFuture<Void> result, long deadline) {}

    private record Releasing(List<Ownership> units, CompletableFuture<Void> done, long deadline) {
        boolean isLetGo() {
            return done.isDone() && !done.isCompletedExceptionally();
        }
    }

    private final ZooKeeperSettings settings;
    private final TransactionalIds ids;
    private final Thread thread;
    private final Thread guard;
    private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<Map<UnitPartition, Long>>> asked = new ConcurrentLinkedQueue<>();
    private final Semaphore wakeups = new Semaphore(0);
    /** Held during calls of the listener, because both the guard's and the coordinator's thread call it. */
    private final ReentrantLock callbacks = new ReentrantLock();

    private UnitsListener listener;
    private volatile boolean leaving;

    /** Why the guard's thread ended unexpectedly; null if it did not. Without it nothing watches the lease. */
    private volatile Throwable unguarded;

    // Guarded by this.
    private final Map<WorkUnit, Ownership> owned = new TreeMap<>();
    private ZooKeeperSession session;
    private boolean ended;
    private long commits;
    private ConsumerGroupMetadata group;

    // The coordinator's thread.
    private final Map<WorkUnit, UnitNode> nodes = new TreeMap<>();
    private final List<WorkUnit> starting = new ArrayList<>();
    private final List<Releasing> releasing = new ArrayList<>();
    /** The partitions of each unit when it was assigned. */
    private final Map<WorkUnit, List<UnitPartition>> parts = new TreeMap<>();
    /** Units whose znode was written without an answer, so that its version may have advanced. */
    private final Set<WorkUnit> unsure = new HashSet<>();

    private PartitionCounts counts;
    private UnitPositions positions;

    /** Creates a coordinator that has not joined the group. */
    public ZooKeeperCoordinator(ZooKeeperSettings settings) {
        this.settings = settings;
        this.ids = new TransactionalIds(settings.group());
        this.thread = new Thread(this::run, "units-" + settings.group());
        this.guard = new Thread(this::guard, "lease-" + settings.group());
        thread.setDaemon(true);
        guard.setDaemon(true);
    }

    @Override
    public void join(UnitsListener listener) {
        this.listener = listener;
        thread.start();
        guard.start();
    }

    @Override
    public synchronized String transactionalId() {
        if (session == null) {
            throw new CommitFailedException("There is no session with ZooKeeper at the moment; retry soon.");
        }
        return ids.of(session.member);
    }

    @Override
    public CompletableFuture<Void> commit(List<UnitCommit> commits) {
        if (settings.transactions().isPresent()) {
            throw new UnsupportedOperationException("Positions of group " + settings.group()
                    + " are committed in transactions: use a TransactionalWriter.");
        }
        Pending asked = new Pending(
                List.copyOf(commits),
                new CompletableFuture<>(),
                System.nanoTime() + settings.patience().toNanos());
        synchronized (this) {
            if (ended && !commits.isEmpty()) {
                asked.result.completeExceptionally(fenced(owners(asked.commits)));
            } else if (!commits.isEmpty()) {
                pending.add(asked);
            }
        }
        if (commits.isEmpty()) {
            asked.result.complete(null);
        }
        wake();
        return asked.result;
    }

    @Override
    public CompletableFuture<Map<UnitPartition, Long>> positions() {
        CompletableFuture<Map<UnitPartition, Long>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                answer.completeExceptionally(fenced(List.of()));
            } else {
                asked.add(answer);
            }
        }
        wake();
        return answer;
    }

    @Override
    public synchronized TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
        List<Ownership> over = over(commits);
        if (!over.isEmpty()) {
            throw fenced(over);
        }
        UnitsCluster home = settings.home();
        List<UnitCommit> packed = commits.stream()
                .map(commit ->
                        new UnitCommit(commit.ownership(), ForeignPositions.pack(home.name(), commit.progress())))
                .toList();
        // No generation: fencing uses the transactional id.
        return new TransactionOffsets(StampedOffsets.offsets(packed, this.commits++), group, transactionalId());
    }

    @Override
    public void leave() {
        leaving = true;
        wake();
        if (Thread.currentThread() != thread && listener != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        leave();
    }

    private void wake() {
        wakeups.release();
    }

    private List<Ownership> owners(List<UnitCommit> asked) {
        return asked.stream().map(UnitCommit::ownership).toList();
    }

    private synchronized List<Ownership> over(List<UnitCommit> asked) {
        boolean holds = session != null && session.lease().holds();
        return owners(asked).stream()
                .filter(one -> !holds || !one.equals(owned.get(one.unit())))
                .toList();
    }

    private FencedException fenced(List<Ownership> units) {
        return new FencedException(units, "This process has left group " + settings.group() + " or lost the units.");
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
                lose(all());
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

    private synchronized List<Ownership> all() {
        return List.copyOf(owned.values());
    }

    /** Notifies the listener of the units that are still owned, once. */
    private void lose(Collection<Ownership> units) {
        callbacks.lock();
        try {
            List<Ownership> lost = disown(units);
            if (!lost.isEmpty()) {
                LOG.warn("This process has lost {}", lost);
                listener.onLost(lost);
            }
        } finally {
            callbacks.unlock();
        }
    }

    private synchronized List<Ownership> disown(Collection<Ownership> units) {
        return units.stream().filter(one -> owned.remove(one.unit(), one)).toList();
    }

    // ---- the coordinator's thread

    private void run() {
        Throwable failure = null;
        try (PartitionCounts counts = new PartitionCounts(settings.clusters())) {
            this.counts = counts;
            this.positions = new UnitPositions(settings, counts);
            nameTheGroup();
            while (goesOn()) {
                live();
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

    private boolean goesOn() {
        return !leaving && unguarded == null;
    }

    /** Takes the group's metadata from a consumer that is not a member of the group, so there is no generation to check. */
    private void nameTheGroup() {
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
    private void live() throws InterruptedException {
        try (ZooKeeperSession session = new ZooKeeperSession(settings, this::wake)) {
            if (!session.connect()) {
                LOG.warn("ZooKeeper at {} does not answer; retrying", settings.connect());
                return;
            }
            synchronized (this) {
                this.session = session;
            }
            while (goesOn() && session.lease().holds()) {
                turn(session);
                wakeups.tryAcquire(settings.session().toMillis() / 10, TimeUnit.MILLISECONDS);
                wakeups.drainPermits();
            }
            letGoOfAll(session);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            LOG.warn("Cannot start a session with ZooKeeper; retrying: {}", e.toString());
        } finally {
            endLife();
        }
    }

    private void endLife() {
        lose(all());
        synchronized (this) {
            session = null;
        }
        nodes.clear();
        parts.clear();
        unsure.clear();
        starting.clear();
        releasing.clear();
        serveCommits(null);
    }

    private void turn(ZooKeeperSession session) throws InterruptedException {
        try {
            session.touch();
            serveCommits(session);
            if (session.leads()) {
                session.allocate(counts.units());
            }
            SortedSet<WorkUnit> allocated = session.allocated();
            revoke(unchanged(allocated));
            release(session);
            acquire(session, allocated);
            start(session);
            tellPositions(session);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (KeeperException.SessionExpiredException e) {
            session.lease().end();
        } catch (KeeperException.BadVersionException e) {
            LOG.info("Another member has become the leader");
        } catch (Exception e) {
            // ZooKeeper or Kafka is away. The lease limits how long ZooKeeper may be away.
            LOG.info("ZooKeeper or Kafka does not answer; retrying: {}", e.toString());
        }
    }

    /**
     * Returns the allocated units without those that have got partitions since they were assigned. Those are released and
     * acquired again with all partitions.
     */
    private Collection<WorkUnit> unchanged(Collection<WorkUnit> allocated) throws Exception {
        List<WorkUnit> unchanged = new ArrayList<>();
        for (WorkUnit unit : allocated) {
            List<UnitPartition> its = parts.get(unit);
            if (its == null || counts.partitionsOf(unit).size() <= its.size()) {
                unchanged.add(unit);
            }
        }
        return unchanged;
    }

    private void revoke(Collection<WorkUnit> allocated) {
        callbacks.lock();
        try {
            List<Ownership> leaver = all().stream()
                    .filter(one -> !allocated.contains(one.unit()))
                    .filter(one -> releasing.stream().noneMatch(r -> r.units.contains(one)))
                    .toList();
            if (!leaver.isEmpty()) {
                CompletableFuture<Void> done = listener.onRevoked(leaver).toCompletableFuture();
                done.whenComplete((nothing, e) -> wake());
                releasing.add(new Releasing(
                        leaver, done, System.nanoTime() + settings.patience().toNanos()));
            }
        } finally {
            callbacks.unlock();
        }
    }

    private void release(ZooKeeperSession session) throws Exception {
        for (Iterator<Releasing> all = releasing.iterator(); all.hasNext(); ) {
            Releasing next = all.next();
            if (!next.done.isDone() && System.nanoTime() - next.deadline < 0) {
                continue;
            }
            if (!next.isLetGo()) {
                LOG.warn(
                        "{} were not released in time; commits of them are refused, the next owner redoes the work",
                        next.units);
                lose(next.units);
                // Their commit may be in flight, so the next owner fences this process first.
                next.units.forEach(one -> nodes.computeIfPresent(one.unit(), (unit, node) -> node.overdue()));
            }
            disown(next.units);
            for (Ownership one : next.units) {
                release(session, one.unit());
            }
            all.remove();
        }
    }

    private void release(ZooKeeperSession session, WorkUnit unit) throws Exception {
        UnitNode node = nodes.get(unit);
        boolean released = node == null || unsure.contains(unit) && !session.refresh(unit, node.epoch());
        if (!released) {
            unsure.add(unit);
            session.release(unit, node);
        }
        unsure.remove(unit);
        nodes.remove(unit);
        parts.remove(unit);
    }

    private void acquire(ZooKeeperSession session, Collection<WorkUnit> allocated) throws Exception {
        for (WorkUnit unit : allocated) {
            if (!nodes.containsKey(unit)) {
                UnitNode taken = session.acquire(unit);
                if (taken != null) {
                    nodes.put(unit, taken);
                    starting.add(unit);
                }
            }
        }
    }

    /** Fences dead former owners of the units, reads the committed positions, and hands the units to the listener. */
    private void start(ZooKeeperSession session) throws Exception {
        if (starting.isEmpty()) {
            return;
        }
        fenceTheDead(session);
        Map<WorkUnit, Progress> progress = positions.read(starting, nodes);
        List<AssignedUnit> started = new ArrayList<>();
        for (WorkUnit unit : starting) {
            Ownership ownership = new Ownership(unit, nodes.get(unit).epoch());
            List<UnitPartition> its = counts.partitionsOf(unit);
            parts.put(unit, its);
            started.add(new AssignedUnit(ownership, its, progress.get(unit)));
        }
        callbacks.lock();
        try {
            if (session.lease().holds()) {
                synchronized (this) {
                    started.forEach(one -> owned.put(one.unit(), one.ownership()));
                }
                starting.clear();
                listener.onAssigned(started);
            }
        } finally {
            callbacks.unlock();
        }
    }

    private void tellPositions(ZooKeeperSession session) throws Exception {
        if (asked.isEmpty()) {
            return;
        }
        Map<WorkUnit, UnitNode> all = new TreeMap<>();
        for (int unit = 0; unit < counts.units(); unit++) {
            all.put(new WorkUnit(unit), session.read(new WorkUnit(unit)));
        }
        Map<UnitPartition, Long> found = new TreeMap<>();
        positions.read(all.keySet(), all).values().forEach(progress -> found.putAll(progress.positions()));
        for (var answer = asked.poll(); answer != null; answer = asked.poll()) {
            answer.complete(found);
        }
    }

    private void fenceTheDead(ZooKeeperSession session) throws Exception {
        Map<WorkUnit, UnitNode> fenced = new TreeMap<>();
        SortedSet<String> dead = new TreeSet<>();
        for (WorkUnit unit : starting) {
            if (!nodes.get(unit).toFence().isEmpty()) {
                dead.addAll(nodes.get(unit).toFence());
                fenced.put(unit, nodes.get(unit).fenced());
            }
        }
        if (fenced.isEmpty()) {
            return;
        }
        if (settings.transactions().isPresent()) {
            ids.fence(
                    counts.admin(settings.home().name()),
                    dead.stream().map(ids::of).toList(),
                    ANSWER_MILLIS);
        }
        for (WorkUnit unit : fenced.keySet()) {
            sureOf(session, unit);
        }
        write(session, fenced);
    }

    private void write(ZooKeeperSession session, Map<WorkUnit, UnitNode> changed) throws Exception {
        unsure.addAll(changed.keySet());
        session.write(changed);
        unsure.removeAll(changed.keySet());
        nodes.putAll(changed);
    }

    private void sureOf(ZooKeeperSession session, WorkUnit unit) throws Exception {
        if (unsure.contains(unit) && !session.refresh(unit, nodes.get(unit).epoch())) {
            session.lease().end();
            throw new KeeperException.SessionExpiredException();
        }
        unsure.remove(unit);
    }

    private void serveCommits(ZooKeeperSession session) {
        for (int waiting = pending.size(); waiting > 0; waiting--) {
            Pending next = pending.remove();
            List<Ownership> over = over(next.commits);
            if (over.isEmpty()) {
                commit(session, next);
            } else {
                next.result.completeExceptionally(fenced(over));
            }
        }
    }

    private void commit(ZooKeeperSession session, Pending asked) {
        try {
            Map<WorkUnit, UnitNode> changed = new HashMap<>();
            for (UnitCommit one : asked.commits) {
                WorkUnit unit = one.ownership().unit();
                sureOf(session, unit);
                changed.put(unit, nodes.get(unit).with(one.progress()));
            }
            write(session, changed);
            positions.show(asked.commits);
            asked.result.complete(null);
        } catch (KeeperException.BadVersionException | KeeperException.SessionExpiredException e) {
            session.lease().end();
            asked.result.completeExceptionally(fenced(owners(asked.commits)));
        } catch (KeeperException e) {
            if (System.nanoTime() - asked.deadline < 0) {
                pending.add(asked);
            } else {
                asked.result.completeExceptionally(e);
            }
        } catch (Exception e) {
            asked.result.completeExceptionally(e);
        }
    }

    private void letGoOfAll(ZooKeeperSession session) throws InterruptedException {
        if (!session.lease().holds()) {
            return;
        }
        revoke(List.of());
        while (!releasing.isEmpty() && session.lease().holds()) {
            try {
                session.touch();
                serveCommits(session);
                release(session);
            } catch (InterruptedException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                LOG.info("Cannot release the units; retrying: {}", e.toString());
            }
            wakeups.tryAcquire(10, TimeUnit.MILLISECONDS);
        }
    }

    private void end(Throwable failure) {
        synchronized (this) {
            ended = true;
        }
        serveCommits(null);
        asked.forEach(answer -> answer.completeExceptionally(fenced(List.of())));
        if (failure != null) {
            listener.onFailed(failure);
        }
    }
}
