package io.updraft.engine.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.tuple.Values;

/**
 * The messages 0, 1, 2... of a test and their acks and fails. All instances of its spout share it; each message is emitted
 * once, and again after each failure if replay is enabled.
 */
@SuppressWarnings("serial")
public final class Feed {

    /** Messages acked, in order. */
    public final Queue<Object> acked = new ConcurrentLinkedQueue<>();

    /** Messages failed, in order. */
    public final Queue<Object> failed = new ConcurrentLinkedQueue<>();

    /** How many were emitted, replays not counted. */
    public final AtomicLong next = new AtomicLong();

    private final Queue<Object> again = new ConcurrentLinkedQueue<>();
    private final AtomicLong ackCount = new AtomicLong();
    private final AtomicLong failCount = new AtomicLong();
    private final boolean tracked;
    private final boolean replay;
    private long limit;

    private Feed(long limit, boolean tracked, boolean replay) {
        this.limit = limit;
        this.tracked = tracked;
        this.replay = replay;
    }

    /** Messages 0 to n - 1, tracked. */
    public static Feed of(long n) {
        return new Feed(n, true, false);
    }

    /** Messages 0 to n - 1, tracked and replayed when they fail. */
    public static Feed replaying(long n) {
        return new Feed(n, true, true);
    }

    /** Messages 0 to n - 1, without a message id. */
    public static Feed untracked(long n) {
        return new Feed(n, false, false);
    }

    /** Messages without end, tracked. */
    public static Feed endless() {
        return of(Long.MAX_VALUE);
    }

    /** Lets it emit up to this many in all. */
    public synchronized void limit(long n) {
        limit = n;
    }

    /** Lets it emit no more. Returns how many it emitted, the one that a spout has just taken included. */
    public synchronized long stop() {
        limit = next.get();
        return limit;
    }

    /** How many acks there were. */
    public long ackCount() {
        return ackCount.get();
    }

    /** How many fails there were. */
    public long failCount() {
        return failCount.get();
    }

    /** Whether all messages were acked or failed. */
    public synchronized boolean isSettled() {
        return ackCount() + failCount() >= limit;
    }

    /** The spout: an instance of {@link Instance} for each task. */
    public IRichSpout spout() {
        return Local.spout(() -> new Instance(this));
    }

    /** The next message, or null when all have been taken; from several tasks at once. */
    private synchronized Long take() {
        return next.get() < limit ? next.getAndIncrement() : null;
    }

    @Override
    public String toString() {
        return "emitted " + next + ", acked " + ackCount() + ", failed " + failCount();
    }

    /** One instance of the spout. */
    public static class Instance extends TestSpout {
        private final transient Feed feed;

        /** Feeds from here. */
        public Instance(Feed feed) {
            super("v");
            this.feed = feed;
        }

        @Override
        public void nextTuple() {
            Object message = feed.again.poll();
            if (message == null) {
                message = feed.take();
                if (message == null) {
                    return;
                }
            }
            send(message, feed.tracked ? message : null);
        }

        /** Emits a message. */
        protected void send(Object message, Object messageId) {
            out.emit(new Values(message), messageId);
        }

        @Override
        public void ack(Object messageId) {
            feed.acked.add(messageId);
            feed.ackCount.incrementAndGet();
        }

        @Override
        public void fail(Object messageId) {
            if (feed.replay) {
                feed.again.add(messageId);
            }
            feed.failed.add(messageId);
            feed.failCount.incrementAndGet();
        }
    }
}
