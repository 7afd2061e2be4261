package io.updraft.storm;

import io.updraft.engine.testing.TestSpout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A spout that emits the messages of a test, which may add messages at any time. Failed messages are emitted again until they
 * are acked. The test reads the results under the spout's name.
 */
@SuppressWarnings("serial")
final class MessageSource extends TestSpout {
    private static final Map<String, Feed> FEEDS = new ConcurrentHashMap<>();

    private final String name;
    private transient Feed feed;
    private transient Queue<Message> replays;

    MessageSource(String name, String... fields) {
        super(fields);
        this.name = name;
    }

    private record Message(long id, List<Object> values) {}

    /** What a test knows of one source. */
    static final class Feed {
        final Set<Long> acked = ConcurrentHashMap.newKeySet();
        final AtomicInteger failures = new AtomicInteger();
        private final Queue<Message> todo = new ConcurrentLinkedQueue<>();
        private long count;

        /** Adds a message. */
        Feed put(Object... values) {
            todo.add(new Message(count++, List.of(values)));
            return this;
        }

        /** Whether every message was acked. */
        boolean isDone() {
            return acked.size() == count;
        }
    }

    /** Begins anew under a name. */
    static Feed begin(String name) {
        Feed feed = new Feed();
        FEEDS.put(name, feed);
        return feed;
    }

    @Override
    protected void opened() {
        feed = FEEDS.get(name);
        replays = new ArrayDeque<>();
    }

    @Override
    public void nextTuple() {
        Message next = replays.isEmpty() ? feed.todo.poll() : replays.remove();
        if (next != null) {
            out.emit(next.values, next);
        }
    }

    @Override
    public void ack(Object messageId) {
        feed.acked.add(((Message) messageId).id);
    }

    @Override
    public void fail(Object messageId) {
        feed.failures.incrementAndGet();
        replays.add((Message) messageId);
    }
}
