package io.updraft.pipeline.source;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where records come from. */
public sealed interface SourceSpec {

    /** Whether the source has an end. */
    boolean hasEnd();

    /**
     * Files of lines, plain or compressed with gzip or Zstandard, which their first bytes tell.
     *
     * @param paths files, directories (all files in them that do not begin with a dot, not those of directories below), and patterns
     *     as the shell has them
     * @param follow whether to wait for more at the end of a file, and for more files
     * @param order which file is read when
     * @param resume whether a run goes on where one before it was broken off, or with {@code follow} ended
     * @param header whether the first line of each file names the columns of CSV: it must name the same in all of them, and is not
     *     handed over as a record
     * @param maxRecord bytes that a record may have; a longer one is bad
     */
    record Files(List<String> paths, boolean follow, Order order, boolean resume, boolean header, int maxRecord)
            implements SourceSpec {
        /** Which file is read when. */
        public enum Order {
            /** All at once, a piece of each in turn: right for files that cover the same time. */
            TOGETHER,
            /** One after the other, by their names: right for files that follow one another in time. */
            SEQUENCE
        }

        /** Files. */
        public Files {
            paths = List.copyOf(paths);
            Objects.requireNonNull(order, "order");
        }

        @Override
        public boolean hasEnd() {
            return !follow;
        }
    }

    /**
     * Lines on standard input, plain or compressed.
     *
     * @param header whether the first line names the columns of CSV; it is not handed over as a record
     * @param maxRecord bytes that a record may have; a longer one is bad
     */
    record Stdin(boolean header, int maxRecord) implements SourceSpec {
        @Override
        public boolean hasEnd() {
            return true;
        }
    }

    /**
     * Topics of Kafka. A unit is a partition index across all clusters and topics.
     *
     * @param clusters each cluster's client settings, {@code bootstrap.servers} among them; at least one
     * @param topics to read
     * @param group whose committed offsets are gone on from, and whose members share the partitions
     * @param start where to begin without a committed offset
     * @param toEnd whether to end at the offsets that are the newest at the start
     * @param zookeeper where processes agree on who reads what, {@code host:port,.../path}; null for Kafka's own group protocol
     * @param session how long a process may be silent before its partitions are given to others; null for 6 s, with ZooKeeper 4 s
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
            /** At what comes next. */
            LATEST
        }

        /** Topics. */
        public Kafka {
            clusters = clusters.stream().map(Map::copyOf).toList();
            topics = List.copyOf(topics);
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(start, "start");
        }

        @Override
        public boolean hasEnd() {
            return toEnd;
        }

        /** Without the clients' settings, passwords among them, but where they connect to. */
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
     * Measurements that are posted to {@code /v1/measurements}. A measurement becomes a JSON record with {@code name},
     * {@code source}, {@code value}, {@code measure_time} (seconds since 1970) and {@code type}.
     *
     * @param host the address to listen at
     * @param port to listen at; 0 for any free one
     * @param token that clients must show; null for none, which only an address that others cannot reach may have
     * @param maxBody bytes that a request may have, unpacked
     * @param queue bytes that are being received or wait for the pipeline at most; more is refused with 429
     * @param idle after how long a connection that says nothing is closed, and how long a request may take to arrive
     * @param connections that may be open at once
     * @param tls with which certificate; null for plain HTTP
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
         * Who the source is.
         *
         * @param chain a file of certificates as PEM, the source's own first
         * @param key a file with its private key as PEM (PKCS #8), without a password
         */
        public record Certificate(Path chain, Path key) {}

        @Override
        public boolean hasEnd() {
            return false;
        }

        /** Without the token. */
        @Override
        public String toString() {
            return "Http[host=" + host + ", port=" + port + ", token=" + (token == null ? "none" : "***") + ", maxBody="
                    + maxBody + ", queue=" + queue + ", idle=" + idle + ", connections=" + connections + ", tls=" + tls
                    + "]";
        }
    }

    /**
     * Records made up by rule: the same seed gives the same ones.
     *
     * @param format of the records
     * @param records how many; -1 for no end
     * @param rate records per second; 0 for as fast as they are taken
     * @param seed of what looks like chance
     * @param units how many units the records are dealt to
     * @param time the field that says when a record was made, as milliseconds since 1970
     * @param start of the first record
     * @param step from one record's time to the next one's; the field {@code time} has it rounded down to milliseconds
     * @param dimensions the fields of text, each name with how many different values it has
     * @param measures the fields of numbers: whole ones from 0 to 999
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
        /** Of the records. */
        public enum Format {
            /** An object in each line. */
            JSON,
            /** Comma-separated, without a line of names: the time first, then dimensions, then measures. */
            CSV
        }

        /** A generator. */
        public Generator {
            dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
            measures = List.copyOf(measures);
        }

        @Override
        public boolean hasEnd() {
            return records >= 0;
        }
    }
}
