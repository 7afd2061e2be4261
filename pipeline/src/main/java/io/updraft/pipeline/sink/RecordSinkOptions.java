package io.updraft.pipeline.sink;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Where records that are put aside go, and how many of them. */
public sealed interface RecordSinkOptions {

    /** A new sink of this kind. What can never be opened is said in the log, once, and counted; it does not fail. */
    RecordSink sink();

    /**
     * A file of JSON lines: {@code {"unit":...,"position":...,"reason":...,"record":...}}; {@code "base64"} in place of
     * {@code "record"} for one that is no UTF-8. When it is full, it is renamed to {@code <path>.1}, that one to {@code .2}, and so
     * on, and the oldest is deleted.
     *
     * @param path of the file; one that is there is added to
     * @param maxBytes of all files together
     * @param files how many there are at most, the one that is written to included
     */
    record Lines(Path path, long maxBytes, int files) implements RecordSinkOptions {

        /**
         * A file.
         *
         * @throws IllegalArgumentException when there is no room for anything
         */
        public Lines {
            Objects.requireNonNull(path, "path");
            if (files < 1 || maxBytes / files < 1024) {
                throw new IllegalArgumentException(path + ": each of at least one file needs 1024 bytes or more");
            }
        }

        /** 100 MB in four files. */
        public static Lines of(Path path) {
            return new Lines(path, 100_000_000, 4);
        }

        @Override
        public RecordSink sink() {
            return new LinesRecordSink(this);
        }
    }

    /**
     * A topic of Kafka: records as they are, with {@code unit}, {@code position} and {@code reason} as headers.
     *
     * @param topic which must be there
     * @param client settings of the producer, {@code bootstrap.servers} among them
     */
    record Topic(String topic, Map<String, String> client) implements RecordSinkOptions {

        /**
         * A topic.
         *
         * @throws IllegalArgumentException when the settings do not say where to connect to
         */
        public Topic {
            Objects.requireNonNull(topic, "topic");
            client = Map.copyOf(client);
            if (client.getOrDefault("bootstrap.servers", "").isBlank()) {
                throw new IllegalArgumentException("topic " + topic + " for records put aside needs bootstrap.servers");
            }
        }

        @Override
        public RecordSink sink() {
            return new TopicRecordSink(this);
        }
    }

    /**
     * Lines on standard error: the first few, then each time that there are twice as many.
     *
     * @param first how many are shown before they get rarer
     */
    record Sample(int first) implements RecordSinkOptions {
        @Override
        public RecordSink sink() {
            return new SampleRecordSink(this, System.err);
        }
    }
}
