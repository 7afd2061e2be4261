package io.updraft.kafka.share;

import io.updraft.base.text.OneLine;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A process of a group, as the other processes of the group see it: who it is, what it reads, and what it must agree on with
 * the others.
 *
 * @param name the name of its pipeline
 * @param host the machine
 * @param pid the process id
 * @param since when it was started, milliseconds since 1970
 * @param topics what it reads, shortened for messages
 * @param agreed digests of what processes that share work must agree on, by the key in the description of the pipeline
 */
public record ProcessDescription(
        String name, String host, long pid, long since, String topics, Map<String, String> agreed) {

    /** The key of the topics in {@link #agreed}. */
    public static final String TOPICS = "topics";

    /** Processes that stay are before those that differ from them: the oldest is the first. */
    static final Comparator<ProcessDescription> OLDEST_FIRST = Comparator.comparingLong(ProcessDescription::since)
            .thenComparing(ProcessDescription::host)
            .thenComparingLong(ProcessDescription::pid);

    private static final String FORMAT = "updraft process 1";
    private static final int SHOWN_TOPICS = 5;
    private static final int FIELDS = 6;
    private static final int DIGEST_BYTES = 16;

    /** Copies the digests. */
    public ProcessDescription {
        agreed = Map.copyOf(agreed);
    }

    /**
     * Describes this process.
     *
     * @param topics the topics of each cluster
     * @param agreed texts that processes that share work must agree on, by key
     */
    public static ProcessDescription ofThisProcess(String name, List<String> topics, Map<String, String> agreed) {
        Map<String, String> digests = new TreeMap<>();
        agreed.forEach((key, text) -> digests.put(key, digest(text)));
        digests.put(TOPICS, digest(String.join(",", topics.stream().sorted().toList())));
        ProcessHandle process = ProcessHandle.current();
        long since = process.info().startInstant().map(Instant::toEpochMilli).orElse(System.currentTimeMillis());
        return new ProcessDescription(line(name), hostName(), process.pid(), since, shown(topics), digests);
    }

    /** Returns a short form that shows whether two texts are equal, and nothing of their contents. */
    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String line(String text) {
        return OneLine.of(text);
    }

    private static String shown(List<String> topics) {
        String first = String.join(", ", topics.stream().limit(SHOWN_TOPICS).toList());
        int more = topics.size() - SHOWN_TOPICS;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    /** Returns the keys in which two processes differ, sorted. Keys that only one of two versions has are not compared. */
    public List<String> differences(ProcessDescription other) {
        return agreed.keySet().stream()
                .filter(key ->
                        other.agreed.containsKey(key) && !other.agreed.get(key).equals(agreed.get(key)))
                .sorted()
                .toList();
    }

    /**
     * Returns why this process must not work beside another one of its group, in one line; empty if it may.
     *
     * @param group the group
     * @param divided whether the processes share the partitions, so that each has a part of the results
     */
    public Optional<String> conflict(ProcessDescription other, String group, boolean divided) {
        List<String> differences = differences(other);
        if (differences.contains(TOPICS)) {
            return Optional.of("another pipeline uses group " + group + ", by which processes share partitions: '"
                    + other.name + "' reads " + other.topics + " in " + other.place() + ", and '" + name + "' reads "
                    + topics + ": give one of them another 'name', or another 'group'");
        }
        if (divided && !differences.isEmpty()) {
            return Optional.of("pipeline '" + other.name + "' runs with other values of " + differences + " in "
                    + other.place() + ", and both would get a part of the partitions of group " + group
                    + ": end that one first, or give this one another 'name' or 'group'");
        }
        return Optional.empty();
    }

    /** Returns the process for messages. */
    public String place() {
        return "process " + pid + " on host " + host;
    }

    /** Returns the description as text. */
    public byte[] written() {
        List<String> lines =
                new ArrayList<>(List.of(FORMAT, name, host, Long.toString(pid), Long.toString(since), topics));
        new TreeMap<>(agreed).forEach((key, digest) -> lines.add(key + "=" + digest));
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads what {@link #written} returns. Empty for anything else, such as the data of an older version. */
    public static Optional<ProcessDescription> read(byte[] written) {
        String[] lines = new String(written, StandardCharsets.UTF_8).split("\n", -1);
        if (!lines[0].equals(FORMAT) || lines.length < FIELDS) {
            return Optional.empty();
        }
        Map<String, String> agreed = new TreeMap<>();
        for (int i = FIELDS; i < lines.length; i++) {
            int end = lines[i].indexOf('=');
            if (end > 0) {
                agreed.put(lines[i].substring(0, end), lines[i].substring(end + 1));
            }
        }
        try {
            return Optional.of(new ProcessDescription(
                    lines[1], lines[2], Long.parseLong(lines[3]), Long.parseLong(lines[4]), lines[5], agreed));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
