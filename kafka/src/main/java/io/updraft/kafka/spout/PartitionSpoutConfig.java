package io.updraft.kafka.spout;

import io.updraft.kafka.offset.RetryPolicy;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.reader.ReaderConfig.OutOfRange;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a {@link PartitionSpout} reads, and how. Immutable once it is built. */
public final class PartitionSpoutConfig implements Serializable {

    private static final long serialVersionUID = 1L;

    final String group;
    final List<String> topics;
    final HashMap<String, Object> client;
    final long start;
    final OutOfRange outOfRange;
    final RecordTranslator translator;
    final long commitMillis;
    final long window;
    final long heldBytes;
    final int retries;
    final long retryMillis;
    final long longestRetryMillis;
    final long alarmMillis;
    final String deadLetterTopic;
    final String deadLetterStream;

    private PartitionSpoutConfig(Builder builder) {
        group = builder.group;
        topics = builder.topics;
        client = new HashMap<>(builder.client);
        start = builder.start;
        outOfRange = builder.outOfRange;
        translator = builder.translator;
        commitMillis = builder.commitMillis;
        window = builder.window;
        heldBytes = builder.heldBytes;
        retries = builder.retries;
        retryMillis = builder.retryMillis;
        longestRetryMillis = builder.longestRetryMillis;
        alarmMillis = builder.alarmMillis;
        deadLetterTopic = builder.deadLetterTopic;
        deadLetterStream = builder.deadLetterStream;
    }

    /**
     * Begins a configuration.
     *
     * @param bootstrap {@code host:port} of some brokers, separated by commas
     * @param group the consumer group under whose name offsets are committed; it must have no members
     * @param topics what to read
     * @return a builder with defaults for all else
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

    /** Sets what is not as most want it. */
    public static final class Builder {

        private final String group;
        private final List<String> topics;
        private final Map<String, Object> client = new HashMap<>();
        private long start = KafkaReader.EARLIEST;
        private OutOfRange outOfRange = OutOfRange.EARLIEST;
        private RecordTranslator translator = RecordTranslator.bytes();
        private long commitMillis = 1_000;
        private long window = 1_000_000;
        private long heldBytes = 64 << 20;
        private int retries = 10;
        private long retryMillis = 100;
        private long longestRetryMillis = 10_000;
        private long alarmMillis = 60_000;
        private String deadLetterTopic;
        private String deadLetterStream;

        private Builder(String bootstrap, String group, String... topics) {
            if (topics.length == 0) {
                throw new IllegalArgumentException("no topic to read for group " + group);
            }
            this.group = Objects.requireNonNull(group, "group");
            this.topics = List.of(topics);
            client.put("bootstrap.servers", Objects.requireNonNull(bootstrap, "bootstrap"));
        }

        /**
         * Sets something of Kafka's client, such as {@code isolation.level} or what TLS needs.
         *
         * @param key the setting
         * @param value its value
         * @return this
         */
        public Builder client(String key, Serializable value) {
            client.put(key, value);
            return this;
        }

        /**
         * Sets where to begin with partitions of which the group has committed nothing. Default: with the oldest record.
         *
         * @param offset {@link KafkaReader#EARLIEST} or {@link KafkaReader#LATEST}
         * @return this
         */
        public Builder start(long offset) {
            start = offset;
            return this;
        }

        /**
         * Sets where to go on when the next offset is not in the log any more. Default: with the oldest record.
         *
         * @param policy where
         * @return this
         */
        public Builder outOfRange(OutOfRange policy) {
            outOfRange = policy;
            return this;
        }

        /**
         * Sets what tuples are made of. Default: {@link RecordTranslator#bytes}.
         *
         * @param value the translator
         * @return this
         */
        public Builder translator(RecordTranslator value) {
            translator = value;
            return this;
        }

        /**
         * Sets how often offsets are committed. Default: each second.
         *
         * @param millis milliseconds
         * @return this
         */
        public Builder commitEvery(long millis) {
            commitMillis = millis;
            return this;
        }

        /**
         * Sets how many records of a partition may be uncommitted, and how many bytes of it kept for replays, before it is read no further.
         * Default: a million, and 64 MiB.
         *
         * @param records of a partition
         * @param bytes of a partition
         * @return this
         */
        public Builder window(long records, long bytes) {
            window = records;
            heldBytes = bytes;
            return this;
        }

        /**
         * Sets how often a record that failed is tried again before it becomes a dead letter. Default: 10 times, after 0.1 s, then twice as
         * long each time, up to 10 s.
         *
         * @param times after the first attempt
         * @param millis the first wait, milliseconds
         * @param longestMillis the longest wait, milliseconds
         * @return this
         */
        public Builder retries(int times, long millis, long longestMillis) {
            retries = times;
            retryMillis = millis;
            longestRetryMillis = longestMillis;
            return this;
        }

        /**
         * Sets after which time a record that is not done is named in the log, with its partition, its offset and where it was last
         * seen. Each is named once, and the first of a partition, for which the commit waits, again each time that this has passed.
         * Default: a minute.
         *
         * <p>That place is this spout, until something else is known. On the embedded engine, in one process, the next attempt at
         * the first of a partition is traced after its first alarm, so that a later one names the bolts that have it, and whether
         * they are executing it or keep it without ack or fail; for this it must fail or time out, so this should be longer than
         * {@code topology.message.timeout.secs}. While it is traced all tuples pay for that; it ends with the alarm that tells a
         * bolt. Apart from that the alarm says what holds up tuples of this spout at that moment, whether this one is among them
         * or not: bolts that have been in one call for a second or more, and queues. Elsewhere it names this spout only.
         *
         * @param millis milliseconds
         * @return this
         */
        public Builder alarmAfter(long millis) {
            alarmMillis = millis;
            return this;
        }

        /**
         * Sends dead letters to a topic, with key and value as they were, and headers {@code updraft.topic}, {@code updraft.partition},
         * {@code updraft.offset} and {@code updraft.failures}. A dead letter counts as done when Kafka has it.
         *
         * @param topic the topic
         * @return this
         */
        public Builder deadLetterTopic(String topic) {
            deadLetterTopic = topic;
            return this;
        }

        /**
         * Emits dead letters on a stream, with the same fields as other records. A dead letter counts as done when it is acked there.
         *
         * @param stream the stream
         * @return this
         */
        public Builder deadLetterStream(String stream) {
            deadLetterStream = stream;
            return this;
        }

        /** {@return the configuration} */
        public PartitionSpoutConfig build() {
            if (deadLetterTopic != null && deadLetterStream != null) {
                throw new IllegalArgumentException("dead letters go to topic " + deadLetterTopic + " or to stream "
                        + deadLetterStream + ", not to both");
            }
            return new PartitionSpoutConfig(this);
        }
    }
}
