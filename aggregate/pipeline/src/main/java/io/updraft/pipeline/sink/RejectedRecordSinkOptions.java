package io.updraft.pipeline.sink;

import java.nio.file.Path;
import java.util.Map;

/** The destination of late records or dead letters, and its limits. */
public sealed interface RejectedRecordSinkOptions {

    /**
     * Returns a new sink of this kind. It does not fail if it can never be opened: it logs that once, and counts the records.
     */
    RejectedRecordSink sink();

    /**
     * A file of JSON lines: {@code {"partition":...,"position":...,"reason":...,"record":...}}; a record that is not UTF-8 is in
     * {@code "base64"} instead of {@code "record"}. A full file is renamed to {@code <path>.1}, that one to {@code .2}, and so
     * on; the oldest is deleted.
     *
     * @param path the path of the file; lines are appended to an existing file
     * @param maxBytes the most bytes of all files together
     * @param files the most files, including the one being written
     */
    record Lines(Path path, long maxBytes, int files) implements RejectedRecordSinkOptions {

        /** Checks the values. Throws an {@link IllegalArgumentException} when a file would have less than 1024 bytes. */
        public Lines {
            if (files < 1 || maxBytes / files < 1024) {
                throw new IllegalArgumentException(
                        path + ": 'files' must be at least 1, and each file needs at least 1024 bytes of 'max_size'");
            }
        }

        @Override
        public RejectedRecordSink sink() {
            return new FileRejectedRecordSink(this);
        }
    }

    /**
     * A topic of Kafka: the records unchanged, with {@code partition}, {@code position} and {@code reason} as headers.
     *
     * @param topic the topic, which must exist
     * @param client the settings of the producer, including {@code bootstrap.servers}
     */
    record Topic(String topic, Map<String, String> client) implements RejectedRecordSinkOptions {

        /** Checks the values. Throws an {@link IllegalArgumentException} when {@code bootstrap.servers} is missing. */
        public Topic {
            client = Map.copyOf(client);
            if (client.getOrDefault("bootstrap.servers", "").isBlank()) {
                throw new IllegalArgumentException(
                        "topic " + topic + " for late records or dead letters needs 'bootstrap'");
            }
        }

        @Override
        public RejectedRecordSink sink() {
            return new TopicRejectedRecordSink(this);
        }
    }

    /**
     * Lines on standard error: the first ones, then one each time the number of records has doubled.
     *
     * @param first how many are shown one by one
     */
    record Sample(int first) implements RejectedRecordSinkOptions {
        @Override
        public RejectedRecordSink sink() {
            return new SampleRejectedRecordSink(this, System.err);
        }
    }
}
