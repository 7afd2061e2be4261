package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps that the search for the origin of one file takes: their number must not grow with the number of files. */
@SuppressWarnings("serial")
class ManyFilesTest {

    private static final int FILES = 200;
    private static final int FEW = 3 * FILES;

    @TempDir
    Path directory;

    private int steps;

    @Test
    void shouldFindStoredPositionsInAFewSteps() throws Exception {
        assertThat(continued(ManyFilesTest::distinct, false)).isEqualTo(FILES);
        assertThat(steps).isLessThan(FEW);
    }

    @Test
    void shouldFindStoredPositionsOfRenamedFilesInAFewSteps() throws Exception {
        assertThat(continued(ManyFilesTest::distinct, true)).isEqualTo(FILES);
        assertThat(steps).isLessThan(FEW);
    }

    @Test
    void shouldFindStoredPositionsOfEqualFilesInAFewSteps() throws Exception {
        assertThat(continued(number -> "x".repeat(2_000), false)).isEqualTo(FILES);
        assertThat(steps).isLessThan(FEW);
    }

    @Test
    void shouldFindStoredPositionsOfEqualFilesThatWereRenamedInAFewSteps() throws Exception {
        assertThat(continued(number -> "x".repeat(2_000), true)).isEqualTo(FILES);
        assertThat(steps).isLessThan(FEW);
    }

    @Test
    void shouldFindStoredPositionsOfRenamedFilesWithACommonHeaderInAFewSteps() throws Exception {
        String header = "h".repeat(1_500) + "\n";
        assertThat(continued(number -> header + "x".repeat(number), true)).isEqualTo(FILES);
        assertThat(steps).isLessThan(2 * FEW);
    }

    @Test
    void shouldCompareANewFileOnlyWithFilesThatBeginLikeIt() throws Exception {
        Map<String, TrackedFile> partitions = new HashMap<>();
        CopyCandidates candidates = new CopyCandidates(partitions);
        for (int i = 0; i < FILES; i++) {
            candidates.add(tracked(partitions, write(i, distinct(i))));
        }
        candidates.beginScan();
        for (int i = 0; i < FILES; i++) {
            int number = i;
            TrackedFile whole =
                    candidates.beginning(distinct(i).substring(0, 10).getBytes(UTF_8), this::count, any -> {
                        steps++;
                        return true;
                    });
            assertThat(whole).isSameAs(partitions.get(file(number).toString()));
            assertThat(candidates.beginning(("new" + i).getBytes(UTF_8), this::count, any -> true))
                    .isNull();
        }
        assertThat(steps).isLessThan(FEW);
    }

    @Test
    void shouldCompareANewFileWithTheBytesThatAShortFileGotSinceTheLastScan() throws Exception {
        Map<String, TrackedFile> partitions = new HashMap<>();
        CopyCandidates candidates = new CopyCandidates(partitions);
        candidates.add(tracked(partitions, write(1, "a\n")));
        candidates.beginScan();
        byte[] more = "a\nb\n".getBytes(UTF_8);
        assertThat(candidates.beginning(more, this::count, any -> true)).isNull();
        write(1, "a\nb\n");
        candidates.beginScan();
        assertThat(candidates.beginning(more, this::count, any -> true)).isNotNull();
        partitions.clear();
        candidates.beginScan();
        assertThat(candidates.beginning(more, this::count, any -> true)).isNull();
        assertThat(candidates.any(this::count)).isNull();
    }

    @Test
    void shouldCompareANewFileOnlyWithRemovedFilesThatBeganLikeIt() throws Exception {
        Map<String, TrackedFile> partitions = new HashMap<>();
        CopyCandidates candidates = new CopyCandidates(partitions);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            tracked(partitions, write(i, distinct(i))).markGone();
            texts.add(distinct(i));
        }
        candidates.beginScan();
        for (String text : texts) {
            assertThat(candidates.left((text + "more").getBytes(UTF_8))).hasSize(1);
        }
        assertThat(candidates.left("new".getBytes(UTF_8))).isEmpty();
        tracked(partitions, file(0));
        assertThat(candidates.left(distinct(0).getBytes(UTF_8)))
                .as("the file is back, with its partition")
                .isEmpty();
    }

    @Test
    void shouldCompareANewFileOnlyWithEntriesOfFilesThatBeganLikeItAndAreGone() throws Exception {
        try (PositionFile positions = PositionFile.open(directory.resolve("state"))) {
            StartPositions beginnings = new StartPositions(positions, null);
            for (int i = 0; i < FILES; i++) {
                positions.put(entry(write(i, distinct(i))));
            }
            byte[] head = (distinct(7) + "more").getBytes(UTF_8);
            assertThat(beginnings.others(head))
                    .extracting(PositionFile.Entry::partition)
                    .containsExactly(file(7).toString());
            PositionFile.Entry begun = beginnings.after(beginnings.known(file(7)), file(7));
            assertThat(beginnings.others(head)).isEmpty();
            positions.put(begun);
            beginnings.forget(begun.partition());
            assertThat(beginnings.others(head)).hasSize(1);
            positions.remove(begun.partition());
            assertThat(beginnings.others(head)).isEmpty();
        }
    }

    /** Stores positions of files, then returns how many files continue at theirs. */
    private int continued(IntFunction<String> text, boolean renamed) throws Exception {
        Map<String, PartitionPosition> stored = new HashMap<>();
        for (int i = 0; i < FILES; i++) {
            PositionFile.Entry entry = entry(write(i, text.apply(i)));
            PartitionPosition end = entry.commit();
            stored.put(
                    end.partition(),
                    new PartitionPosition(
                            end.partition(),
                            end.position(),
                            0,
                            ProcessedRanges.NONE,
                            null,
                            entry.mark().text()));
        }
        for (int i = 0; renamed && i < FILES; i++) {
            Files.move(file(i), directory.resolve("renamed" + i));
        }
        StoredPositions positions = new StoredPositions(stored);
        Set<String> taken = new CountingSet();
        positions.beginScan();
        for (int i = 0; i < FILES; i++) {
            String partition = positions.find(renamed ? directory.resolve("renamed" + i) : file(i), taken);
            if (partition != null) {
                taken.add(partition);
            }
        }
        return taken.size();
    }

    /** The partitions that are taken; counts the questions. */
    private final class CountingSet extends HashSet<String> {
        @Override
        public boolean contains(Object partition) {
            steps++;
            return super.contains(partition);
        }
    }

    private boolean count(TrackedFile file) {
        steps++;
        return true;
    }

    private static TrackedFile tracked(Map<String, TrackedFile> partitions, Path path) throws IOException {
        TrackedFile file = new TrackedFile(entry(path), path, null, true, Files.size(path));
        partitions.put(file.partition(), file);
        return file;
    }

    private static PositionFile.Entry entry(Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        long size = Files.size(path);
        try (FileChannel channel = FileChannel.open(path)) {
            return new PositionFile.Entry(
                    new PartitionPosition(path.toString(), size, 0),
                    identity,
                    ContentFingerprint.of(identity, channel, size));
        }
    }

    private static String distinct(int number) {
        return "line %05d\n".formatted(number).repeat(150);
    }

    private Path write(int number, String text) throws IOException {
        return Files.writeString(file(number), text);
    }

    private Path file(int number) {
        return directory.resolve("f" + number);
    }
}
