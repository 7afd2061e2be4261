package io.updraft.plugin;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The records of {@link NumberRecordingTopology} so far. Reads each line once. */
final class ProcessedNumbers {
    private final Path directory;
    private final Map<Path, Long> positions = new HashMap<>();
    private final BitSet acked = new BitSet();
    private final BitSet processed = new BitSet();
    private final NavigableSet<Long> ackTimes = new TreeSet<>();

    ProcessedNumbers(Path directory) {
        this.directory = directory;
    }

    /** Reads what was added. */
    void read() {
        // In this order: what is noted as acked was noted as processed before.
        readAll(NumberRecordingTopology.ACKED, acked);
        readAll(NumberRecordingTopology.PROCESSED, processed);
    }

    private void readAll(String prefix, BitSet numbers) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path file : files) {
                readOne(file, numbers);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readOne(Path path, BitSet numbers) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            long from = positions.getOrDefault(path, 0L);
            file.seek(from);
            byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.US_ASCII);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            positions.put(path, from + whole.length());
            whole.lines().forEach(line -> take(line, numbers));
        }
    }

    private void take(String line, BitSet numbers) {
        int space = line.indexOf(' ');
        numbers.set(Integer.parseInt(line, 0, space, 10));
        if (numbers == acked) {
            ackTimes.add(Long.parseLong(line.substring(space + 1)));
        }
    }

    /** The numbers that were acked. */
    BitSet acked() {
        return acked;
    }

    /** The numbers that were acked and are not noted as processed. */
    BitSet lies() {
        BitSet lies = (BitSet) acked.clone();
        lies.andNot(processed);
        return lies;
    }

    /** Whether all numbers below one were acked. */
    boolean isComplete(int below) {
        return acked.nextClearBit(0) >= below;
    }

    /** The longest time without an ack since a moment, milliseconds. */
    long longestSilence(long sinceMillis) {
        long longest = 0;
        long last = sinceMillis;
        for (long time : ackTimes.tailSet(sinceMillis)) {
            longest = Math.max(longest, time - last);
            last = time;
        }
        return Math.max(longest, System.currentTimeMillis() - last);
    }
}
