package io.updraft.pipeline.connector;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The description of a source. */
public sealed interface SourceSpec {

    /**
     * Files of lines, plain or compressed with gzip or Zstandard, which the first bytes of a file determine.
     *
     * @param paths files, directories and patterns. A directory stands for the files directly in it that do not begin with a
     *     dot; patterns are those of the shell
     * @param follow whether to wait for more at the end of a file, and for more files
     * @param order the order in which files are read
     * @param resume whether a run continues where an earlier one was interrupted, or with {@code follow} ended
     * @param header whether the first line of each file names the columns of CSV. All files must have the same columns; this
     *     line is not handed over as a record
     * @param maxRecord the most bytes of a record; a longer one is rejected
     */
    record Files(List<String> paths, boolean follow, Order order, boolean resume, boolean header, int maxRecord)
            implements SourceSpec {
        /** The order in which files are read. */
        public enum Order {
            /** All at once, a piece of each in turn: right for files that cover the same time. */
            TOGETHER,
            /** One after the other, by their names: right for files that follow one another in time. */
            SEQUENCE
        }

        /** Copies the list. */
        public Files {
            paths = List.copyOf(paths);
        }
    }

    /**
     * Lines on standard input, plain or compressed.
     *
     * @param header whether the first line names the columns of CSV; this line is not handed over as a record
     * @param maxRecord the most bytes of a record; a longer one is rejected
     */
    record Stdin(boolean header, int maxRecord) implements SourceSpec {}

    /**
     * Topics of Kafka. A partition is a partition index across all clusters and topics.
     *
     * @param clusters the client settings of each cluster, including {@code bootstrap.servers}; at least one
     * @param topics the topics to read
     * @param group the consumer group: reading continues from its committed offsets, and its members share the partitions
     * @param start where to begin without a committed offset
     * @param toEnd whether the run ends at the offsets that are the newest at its start
     * @param zookeeper the address of ZooKeeper, which assigns the partitions to processes, {@code host:port,.../path}; null
     *     for Kafka's own group protocol
     * @param session how long a process may be silent before its partitions are assigned to others; null for 6 s, with
     *     ZooKeeper 4 s
     */
    record Kafka(
            List<Map<String, String>> clusters,
            List<String> topics,
            String group,
            Start start,
            boolean toEnd,
            String zookeeper,
            Duration session)
            implements SourceSpec {
        /** Where to begin without a committed offset. */
        public enum Start {
            /** At the oldest record. */
            EARLIEST,
            /** At the next new record. */
            LATEST
        }

        /** Copies the collections. */
        public Kafka {
            clusters = clusters.stream().map(Map::copyOf).toList();
            topics = List.copyOf(topics);
        }

        /** Returns a text with the addresses of the clusters, but without other client settings such as passwords. */
        @Override
        public String toString() {
            List<String> servers = clusters.stream()
                    .map(cluster -> cluster.get("bootstrap.servers"))
                    .toList();
            return "Kafka[servers=" + servers + ", topics=" + topics + ", group=" + group + ", start=" + start
                    + ", toEnd=" + toEnd + ", zookeeper=" + zookeeper + ", session=" + session + "]";
        }
    }

    /**
     * Measurements that clients post to {@code /v1/measurements}. A measurement becomes a JSON record with {@code name}, {@code
     * source}, {@code value}, {@code measure_time} (seconds since 1970) and {@code type}.
     *
     * @param host the address to listen at
     * @param port the port to listen at; 0 for any free one
     * @param token the token that clients must send; null for none, which is allowed only at an address that other machines
     *     cannot reach
     * @param maxBody the most bytes of a request, unpacked
     * @param queue the most bytes that may be arriving or wait for the pipeline; requests beyond it are refused with 429
     * @param idle how long a request may take to arrive before its connection is closed, counted from the last answer
     * @param connections the most connections that may be open at once
     * @param tls the certificate; null for plain HTTP
     */
    record Http(
            String host,
            int port,
            String token,
            int maxBody,
            long queue,
            Duration idle,
            int connections,
            Certificate tls)
            implements SourceSpec {

        /**
         * The certificate of the source.
         *
         * @param chain a file of certificates as PEM, the source's own first
         * @param key a file with its private key as PEM (PKCS #8), without a password
         */
        public record Certificate(Path chain, Path key) {}

        /** Returns a text without the token. */
        @Override
        public String toString() {
            return "Http[host=" + host + ", port=" + port + ", token=" + (token == null ? "none" : "***") + ", maxBody="
                    + maxBody + ", queue=" + queue + ", idle=" + idle + ", connections=" + connections + ", tls=" + tls
                    + "]";
        }
    }

    /**
     * Generated records: the same seed gives the same records.
     *
     * @param format the format of the records
     * @param records how many records; -1 for no end
     * @param rate records per second; 0 for as fast as the pipeline takes them
     * @param seed the seed of the pseudo-random values
     * @param units how many partitions the records are distributed over
     * @param time the field with the time of a record, in milliseconds since 1970
     * @param start the time of the first record
     * @param step the time from one record to the next; the field {@code time} is rounded down to milliseconds
     * @param dimensions the text fields, each name with its number of different values
     * @param measures the number fields, with whole numbers from 0 to 999
     */
    record Generator(
            Format format,
            long records,
            long rate,
            long seed,
            int units,
            String time,
            Instant start,
            Duration step,
            Map<String, Long> dimensions,
            List<String> measures)
            implements SourceSpec {
        /** The format of generated records. */
        public enum Format {
            /** An object in each line. */
            JSON,
            /** Comma-separated, without a header line: the time first, then dimensions, then measures. */
            CSV
        }

        /** Copies the collections. */
        public Generator {
            dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
            measures = List.copyOf(measures);
        }
    }
}
