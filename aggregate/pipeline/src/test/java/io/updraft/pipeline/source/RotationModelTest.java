package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that is written, rotated and packed while it is read, by processes that end at any step: what is committed and what the last one has
 * read is each line once. One seed is one order of steps; there are no threads but the one that writes the state.
 *
 * <p>One case is excepted, since nothing distinguishes it: a log is missing, is read to its end and closed after less than 1024
 * bytes, grows, and is copied and cut before a scan finds it again. The names, numbers and bytes are then those of a removed log,
 * and of another one with the same first lines. These lines may count twice; no line may be lost.
 */
@Tag("one-jdk")
class RotationModelTest {

    private static final Logger LOG = LoggerFactory.getLogger(RotationModelTest.class);
    private static final int FEW = 20;
    private static final int STEPS = 60;
    private static final long SCAN_NANOS = 100_000_000L;
    /** Longer than it takes until a short file is read that has the same bytes as another one. */
    private static final long LONG_NANOS = 11_000_000_000L;

    private record Read(String partition, long to, List<String> lines) {}

    @TempDir
    Path directory;

    private int seed;
    private Random random;
    private Path logs;
    private Path log;
    private int written;
    private long now;
    private int rotations;
    private List<String> header;
    private Path unpacked;
    private Path watched;
    private boolean away;
    private final Set<String> unproven = new HashSet<>();
    private final List<String> done = new ArrayList<>();
    private final List<Read> pending = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    private PositionFile positions;
    private StartPositions beginnings;
    private Map<String, TrackedFile> partitions;
    private FileReadLoop reading;

    @Test
    void shouldHandOverEachLineOnceHoweverItsFileIsRotated() throws Exception {
        run(0, FEW);
    }

    @Test
    @Tag("long")
    void shouldHandOverEachLineOnceWithManySeeds() throws Exception {
        int first = Integer.getInteger("updraft.seed", FEW);
        run(first, first + Integer.getInteger("updraft.seeds", 500));
    }

    private void run(int from, int to) throws Exception {
        for (int seed = from; seed < to; seed++) {
            run(seed);
        }
    }

    private void run(int seed) throws Exception {
        begin(seed);
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        comeBack();
        if (unpacked != null) {
            finishPacking();
        }
        drain();
        close();
        List<String> all = new ArrayList<>(done);
        pending.forEach(read -> all.addAll(read.lines()));
        all.removeIf(line -> line.contains("header"));
        Map<String, Long> counts = all.stream().collect(Collectors.groupingBy(line -> line, Collectors.counting()));
        Set<String> missing =
                IntStream.range(0, written).mapToObj(this::line).collect(Collectors.toCollection(LinkedHashSet::new));
        missing.removeAll(counts.keySet());
        counts.entrySet().removeIf(line -> line.getValue() <= (unproven.contains(line.getKey()) ? 2 : 1));
        assertThat(missing).as("lost, " + at()).isEmpty();
        assertThat(counts).as("more than once, " + at()).isEmpty();
    }

    private String at() {
        return "seed " + seed + ": " + String.join(", ", steps);
    }

    private void begin(int seed) throws Exception {
        this.seed = seed;
        random = new Random(seed);
        watched = Files.createDirectories(directory.resolve("logs" + seed));
        place(watched);
        written = 0;
        rotations = 0;
        unpacked = null;
        header = seed % 2 == 0 ? List.of() : List.of("{\"header\":\"" + "x".repeat(seed % 4 == 1 ? 20 : 2000) + "\"}");
        done.clear();
        unproven.clear();
        pending.clear();
        steps.clear();
        Files.write(log, header);
        open();
    }

    private void open() throws Exception {
        positions = PositionFile.open(directory.resolve("state" + seed));
        beginnings = new StartPositions(positions, null);
        partitions = new ConcurrentHashMap<>();
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(watched.toString()), true, SourceSpec.Files.Order.TOGETHER, true, false, 1 << 20);
        LineFormat format = LineFormat.of(DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG)), false, 1 << 20);
        reading = new FileReadLoop(
                spec,
                format,
                Duration.ZERO,
                beginnings,
                partitions,
                () -> now,
                new ChannelLimit(seed % 2 == 0 ? 2 : 64));
        reading.find();
    }

    private void close() {
        partitions.values().forEach(TrackedFile::close);
        positions.close();
    }

    private void step() throws Exception {
        int choice = random.nextInt(20);
        switch (choice) {
            case 0, 1, 2 -> write(1 + random.nextInt(60));
            case 3 -> rename();
            case 4 -> copyAndCut();
            case 5, 6 -> beginOrFinishPacking();
            case 7 -> reopen();
            case 8, 9 -> commit();
            case 10, 11, 12 -> look();
            case 16 -> link();
            case 17, 18 -> goAwayOrComeBack();
            case 19 -> hardLink();
            default -> turn();
        }
    }

    private void look() throws Exception {
        step("look");
        now += SCAN_NANOS;
        reading.look(this::take);
    }

    private boolean turn() throws Exception {
        step("turn");
        return reading.turn(this::take);
    }

    private void step(String what) {
        steps.add(what);
        LOG.info("seed {}: {}", seed, what);
    }

    private void write(int lines) throws IOException {
        step("write " + written + " to " + (written + lines));
        Files.write(
                log,
                IntStream.range(written, written + lines).mapToObj(this::line).toList(),
                StandardOpenOption.APPEND);
        written += lines;
    }

    private String line(int number) {
        return "{\"n\":" + number + ",\"of\":" + seed + "}";
    }

    private void rename() throws IOException {
        step("rename to " + (rotations + 1));
        Files.move(log, logs.resolve("app.log." + ++rotations));
        Files.write(log, header);
    }

    private void copyAndCut() throws IOException {
        step("copy to " + (rotations + 1));
        excludeUnproven();
        Files.copy(log, logs.resolve("app.log." + ++rotations));
        Files.write(log, header);
    }

    private void excludeUnproven() throws IOException {
        String key = FileIdentity.key(log);
        for (TrackedFile file : partitions.values()) {
            boolean shortAndClosed = file.end() >= 0 && file.end() < ContentFingerprint.MAX_BYTES;
            boolean grown = Files.size(log) > file.end();
            if (shortAndClosed
                    && grown
                    && file.identity().key().equals(key)
                    && file.identity().isStillOf(log)) {
                byte[] copied = UnpackedContent.bytes(log, 0, (int) file.end());
                new String(copied, StandardCharsets.UTF_8).lines().forEach(unproven::add);
            }
        }
    }

    private void beginOrFinishPacking() throws IOException {
        if (unpacked != null) {
            finishPacking();
            return;
        }
        Path oldest = oldest();
        if (oldest != null) {
            unpacked = oldest;
            byte[] packed = packed();
            int begun = random.nextInt(packed.length);
            step("pack " + begun + " of " + packed.length + " bytes of " + unpacked.getFileName());
            Files.write(packedPath(), Arrays.copyOf(packed, begun));
        }
    }

    private Path oldest() {
        return IntStream.rangeClosed(1, rotations)
                .mapToObj(i -> logs.resolve("app.log." + i))
                .filter(Files::exists)
                .findFirst()
                .orElse(null);
    }

    private void finishPacking() throws IOException {
        step("packed " + unpacked.getFileName());
        byte[] packed = packed();
        int begun = (int) Files.size(packedPath());
        Files.write(packedPath(), Arrays.copyOfRange(packed, begun, packed.length), StandardOpenOption.APPEND);
        // A second name would keep the original, and then its short copies are read too.
        Files.deleteIfExists(logs.resolve("app.same"));
        Files.delete(unpacked);
        unpacked = null;
    }

    private Path packedPath() {
        return logs.resolve(unpacked.getFileName() + ".gz");
    }

    private byte[] packed() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(Files.readAllBytes(unpacked));
        }
        return out.toByteArray();
    }

    private void link() throws IOException {
        Path link = logs.resolve("a-current");
        List<Path> files = files();
        Path to = files.get(random.nextInt(files.size()));
        if (away) {
            return;
        }
        step("link to " + to.getFileName());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, to);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>(List.of(log));
        IntStream.rangeClosed(1, rotations)
                .mapToObj(i -> logs.resolve("app.log." + i))
                .filter(Files::exists)
                .forEach(files::add);
        return files;
    }

    /** Makes or deletes a second name of the log. */
    private void hardLink() throws IOException {
        Path link = logs.resolve("app.same");
        step("hard link");
        if (!Files.deleteIfExists(link)) {
            Files.createLink(link, log);
        }
    }

    private void goAwayOrComeBack() throws IOException {
        if (away) {
            comeBack();
            return;
        }
        step("go away");
        away = true;
        Files.move(watched, directory.resolve("away" + seed));
        if (random.nextBoolean()) {
            // As the place of a file system that is not mounted.
            Files.createDirectory(watched);
        }
        place(directory.resolve("away" + seed));
    }

    private void comeBack() throws IOException {
        if (!away) {
            return;
        }
        step("come back");
        away = false;
        Files.deleteIfExists(watched);
        Files.move(logs, watched);
        place(watched);
    }

    private void place(Path folder) {
        unpacked = unpacked == null ? null : folder.resolve(unpacked.getFileName());
        logs = folder;
        log = logs.resolve("app.log");
    }

    private void reopen() throws Exception {
        comeBack();
        step("reopen");
        close();
        pending.clear();
        open();
    }

    private void take(SourceEvent event) {
        if (event instanceof Chunk chunk) {
            String text = new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8);
            List<String> lines = text.lines().toList();
            step("  read " + Path.of(event.partition()).getFileName() + " " + chunk.from() + ".." + chunk.to() + " "
                    + lines.get(0) + ".." + lines.get(lines.size() - 1));
            pending.add(new Read(event.partition(), chunk.to(), lines));
        }
    }

    // As the source does when it is told so.
    private void commit() {
        if (pending.isEmpty()) {
            return;
        }
        Read last = pending.get(random.nextInt(pending.size()));
        step("commit " + last.partition() + " " + last.to());
        pending.stream().filter(read -> isDone(read, last)).forEach(read -> done.addAll(read.lines()));
        pending.removeIf(read -> isDone(read, last));
        TrackedFile file = partitions.get(last.partition());
        PartitionPosition commit = new PartitionPosition(last.partition(), last.to(), Long.MIN_VALUE);
        positions.put(new PositionFile.Entry(commit, file.identity(), file.marks.committed(last.to())));
        if (file.end() >= 0 && last.to() >= file.end()) {
            partitions.remove(last.partition());
            file.markForgotten();
            if (file.isOver()) {
                beginnings.forget(last.partition());
            }
        }
    }

    private static boolean isDone(Read read, Read last) {
        return read.partition().equals(last.partition()) && read.to() <= last.to();
    }

    private void drain() throws Exception {
        for (int i = 0; i < 6; i++) {
            now += LONG_NANOS;
            look();
            while (turn()) {
                // Until there is nothing more.
            }
        }
    }
}
