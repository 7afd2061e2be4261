package io.updraft.kafka.spout;

import io.updraft.engine.testing.TestBolt;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.tuple.Tuple;

/** A bolt that acks, fails or holds each record as the test demands, and counts its acks. */
@SuppressWarnings("serial")
final class OutcomeBolt extends TestBolt {

    /** Of each test, by its name: how often each value was acked, and how often it came. */
    static final Map<String, OutcomeBolt.Book> BOOKS = new ConcurrentHashMap<>();

    /** What has happened in one test. */
    static final class Book {
        final Map<String, AtomicInteger> acked = new ConcurrentHashMap<>();
        final AtomicInteger executed = new AtomicInteger();
    }

    private final String name;
    private final int percentFailing;
    private final String failing;
    private final String held;
    private transient Book book;

    /** Fails so many of a hundred, and one value always; keeps one value without a word. */
    OutcomeBolt(String name, int percentFailing, String failing, String held) {
        this.name = name;
        this.percentFailing = percentFailing;
        this.failing = failing;
        this.held = held;
    }

    static Book book(String name) {
        return BOOKS.computeIfAbsent(name, key -> new Book());
    }

    @Override
    protected void prepared() {
        book = book(name);
    }

    @Override
    public void execute(Tuple tuple) {
        book.executed.incrementAndGet();
        String value = tuple.getStringByField("value");
        if (value.equals(held)) {
            return;
        }
        if (value.equals(failing) || ThreadLocalRandom.current().nextInt(100) < percentFailing) {
            out.fail(tuple);
        } else {
            book.acked.computeIfAbsent(value, key -> new AtomicInteger()).incrementAndGet();
            out.ack(tuple);
        }
    }
}
