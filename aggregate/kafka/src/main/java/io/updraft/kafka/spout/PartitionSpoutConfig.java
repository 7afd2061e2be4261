package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.reader.ReaderConfig.OutOfRange;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The topics that a {@link PartitionSpout} reads, and its options. Immutable. */
public final class PartitionSpoutConfig implements Cloneable, Serializable {

    private static final long serialVersionUID = 1L;

    // Set by the builder only, before the configuration is published.
    final String group;
    final List<String> topics;
    HashMap<String, Object> client = new HashMap<>();
    long start = KafkaReader.EARLIEST;
    OutOfRange outOfRange = OutOfRange.EARLIEST;
    RecordTranslator translator = RecordTranslator.bytes();
    long commitMillis = 1_000;
    long window = 1_000_000;
    long heldBytes = 64 << 20;
    int retries = 10;
    long retryMillis = 100;
    long longestRetryMillis = 10_000;
    long alarmMillis = 60_000;
    String deadLetterTopic;
    String deadLetterStream;

    private PartitionSpoutConfig(String group, String... topics) {
        if (topics.length == 0) {
            throw new IllegalArgumentException("name at least one topic to read for group " + group);
        }
        this.group = Objects.requireNonNull(group, "group");
        this.topics = List.of(topics);
    }

    private PartitionSpoutConfig copy() {
        try {
            PartitionSpoutConfig copy = (PartitionSpoutConfig) clone();
            copy.client = new HashMap<>(client);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Creates a builder.
     *
     * @param bootstrap {@code host:port} of some brokers, separated by commas
     * @param group the consumer group under which offsets are committed; the group must have no members
     */
    public static Builder builder(String bootstrap, String group, String... topics) {
        return new Builder(bootstrap, group, topics);
    }

    ReaderConfig reader() {
        ReaderConfig config = ReaderConfig.of((String) client.get("bootstrap.servers"))
                .withOutOfRange(outOfRange)
                .withKeys();
        for (Map.Entry<String, Object> setting : client.entrySet()) {
            config = config.with(setting.getKey(), setting.getValue());
        }
        return config;
    }

    RetryPolicy retryPolicy() {
        return RetryPolicy.ofMillis(retries, retryMillis, longestRetryMillis);
    }

    /** Builds a configuration. Every option has a default. */
    public static final class Builder {

        private final PartitionSpoutConfig config;

        private Builder(String bootstrap, String group, String... topics) {
            config = new PartitionSpoutConfig(group, topics);
            config.client.put("bootstrap.servers", Objects.requireNonNull(bootstrap, "bootstrap"));
        }

        /** Sets a property of the Kafka client, such as {@code isolation.level} or a TLS property. */
        public Builder client(String key, Serializable value) {
            config.client.put(key, value);
            return this;
        }

        /**
         * Sets where to start reading partitions for which the group has no committed offset. Default: the oldest record.
         *
         * @param offset {@link KafkaReader#EARLIEST} or {@link KafkaReader#LATEST}
         */
        public Builder start(long offset) {
            config.start = offset;
            return this;
        }

        /** Sets where to continue when the next offset is no longer in the log. Default: the oldest record. */
        public Builder outOfRange(OutOfRange policy) {
            config.outOfRange = policy;
            return this;
        }

        /** Sets how records become tuples. Default: {@link RecordTranslator#bytes}. */
        public Builder translator(RecordTranslator value) {
            config.translator = value;
            return this;
        }

        /** Sets the interval between commits. Default: 1 second. */
        public Builder commitEvery(long millis) {
            config.commitMillis = millis;
            return this;
        }

        /**
         * Sets the limits above which a partition is paused: its number of uncommitted records, and the bytes kept for replays.
         * Defaults: 1,000,000 records and 64 MiB.
         *
         * @param records the most uncommitted records of one partition
         * @param bytes the most bytes kept for one partition
         */
        public Builder window(long records, long bytes) {
            config.window = records;
            config.heldBytes = bytes;
            return this;
        }

        /**
         * Sets how often a failed record is replayed before it becomes a dead letter. Default: 10 times, after 0.1 s at first,
         * then twice as long each time, up to 10 s.
         *
         * @param times replays after the first attempt
         * @param millis the first delay, milliseconds
         * @param longestMillis the longest delay, milliseconds
         */
        public Builder retries(int times, long millis, long longestMillis) {
            config.retries = times;
            config.retryMillis = millis;
            config.longestRetryMillis = longestMillis;
            return this;
        }

        /**
         * Sets after which time the log reports a record that is not done, with its partition, offset and the place where it
         * was last seen. Each record is reported once. The first pending record of a partition, which holds back the commit, is
         * reported again each time this interval has passed. Default: 1 minute.
         *
         * <p>The place is this spout until the record is seen elsewhere. The embedded engine, in one process, traces the next
         * attempt at the first pending record of a partition after its first alarm. A later alarm then names the bolts that
         * have the record, and whether they are executing it or hold it without ack or fail. The next attempt needs a failure
         * or a timeout, so this interval should be longer than {@code topology.message.timeout.secs}. Tracing slows down all
         * tuples; it ends with the alarm that names a bolt. The alarm also reports what holds up tuples of this spout at that
         * moment: bolts that have been in one call for a second or more, and queues. The reported record may or may not be
         * among those tuples. Without the embedded engine, or with several processes, the alarm names this spout only.
         */
        public Builder alarmAfter(long millis) {
            config.alarmMillis = millis;
            return this;
        }

        /**
         * Sends dead letters to a topic, with the original key and value and the headers {@code updraft.topic},
         * {@code updraft.partition}, {@code updraft.offset} and {@code updraft.failures}. A dead letter is done when Kafka has
         * acknowledged it.
         */
        public Builder deadLetterTopic(String topic) {
            config.deadLetterTopic = topic;
            return this;
        }

        /**
         * Emits dead letters on a stream, with the same fields as other records. A dead letter is done when its tuple is acked.
         */
        public Builder deadLetterStream(String stream) {
            config.deadLetterStream = stream;
            return this;
        }

        /** {@return the configuration} */
        public PartitionSpoutConfig build() {
            if (config.deadLetterTopic != null && config.deadLetterStream != null) {
                throw new IllegalArgumentException("dead letters cannot go both to topic " + config.deadLetterTopic
                        + " and to stream " + config.deadLetterStream + ": set one of them");
            }
            return config.copy();
        }
    }

    /**
     * How often, and after which delays, a failed record is retried.
     *
     * @param retries attempts after the first one; 0 for none
     * @param initialNanos the delay before the first retry, nanoseconds; each later delay is twice as long
     * @param maxNanos the longest delay, nanoseconds
     */
    record RetryPolicy(int retries, long initialNanos, long maxNanos) {

        public RetryPolicy {
            if (retries < 0 || initialNanos < 0 || maxNanos < initialNanos) {
                throw new IllegalArgumentException(
                        "a retry policy needs retries >= 0 and 0 <= initial wait <= longest wait, not " + retries + ", "
                                + initialNanos + " ns, " + maxNanos + " ns");
            }
        }

        /** Creates a policy from milliseconds. */
        public static RetryPolicy ofMillis(int retries, long initialMillis, long maxMillis) {
            return new RetryPolicy(
                    retries, TimeUnit.MILLISECONDS.toNanos(initialMillis), TimeUnit.MILLISECONDS.toNanos(maxMillis));
        }

        /** Returns the delay before a retry, nanoseconds. Retries count from 1. */
        long waitNanos(int retry) {
            int doublings = retry - 1;
            return doublings < Long.numberOfLeadingZeros(Math.max(1, initialNanos)) - 1
                    ? Math.min(maxNanos, initialNanos << doublings)
                    : maxNanos;
        }
    }
}
