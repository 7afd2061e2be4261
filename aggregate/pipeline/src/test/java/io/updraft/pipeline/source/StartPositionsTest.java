package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.pipeline.connector.PartitionPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partitions of files with one name while it is rotated, and the warning about the file that an earlier run read. */
class StartPositionsTest {

    @TempDir
    Path directory;

    private Path log;

    @AutoClose
    private PositionFile positions;

    private StartPositions beginnings;
    private final Set<String> partitions = new HashSet<>();

    @BeforeEach
    void open() throws Exception {
        log = directory.resolve("app.log");
        positions = PositionFile.open(directory.resolve("state"));
        beginnings = new StartPositions(positions, null);
    }

    @Test
    void shouldTellOnceThatAnotherFileHasTheNameOfOneThatAnEarlierRunRead() throws Exception {
        keep(log.toString(), 0);
        try (CapturedWarnings warnings = new CapturedWarnings(StartPositions.class)) {
            assertThat(rotated(1)).isEqualTo(log + "#2");
            assertThat(warnings.lines())
                    .singleElement()
                    .asString()
                    .startsWith(log + " is not the file that an earlier run read");
            assertThat(rotated(2)).isEqualTo(log + "#3");
            done(log + "#2", 1);
            done(log + "#3", 2);
            rotated(3);
            assertThat(warnings.lines()).hasSize(1);
            Path other = Files.writeString(directory.resolve("b.log"), "b");
            keep(other.toString(), 0);
            beginnings.fresh(other, partitions);
            assertThat(warnings.lines()).hasSize(2);
        }
    }

    @Test
    void shouldNotTellOfAFileThatTakesThePlaceOfOneThatThisRunReadsOn() throws Exception {
        keep(log.toString(), 0);
        keep(log + "#2", 1);
        try (CapturedWarnings warnings = new CapturedWarnings(StartPositions.class)) {
            Files.writeString(log, line(1));
            partitions.add(beginnings.after(beginnings.known(log), log).commit().partition());
            assertThat(rotated(2)).isEqualTo(log + "#3");
            assertThat(partitions).containsExactlyInAnyOrder(log + "#2", log + "#3");
            assertThat(warnings.lines()).isEmpty();
        }
    }

    @Test
    void shouldKeepFilesWithAnyNameInTheState() throws Exception {
        String forged = "a\n9\t0/\tkey\t0\t0\tb.log\r\u2028\\u000a\u0001";
        keep(forged, 1);
        keep("b.log", 2);
        positions.close();
        positions = PositionFile.open(directory.resolve("state"));
        assertThat(positions.all()).extracting(PositionFile.Entry::partition).containsExactly(forged, "b.log");
    }

    @Test
    void shouldReadNamesOfOlderVersionsAndNameADamagedLine() throws Exception {
        Path state = directory.resolve("older");
        Files.writeString(state, "updraft-positions 1\n7\t5/\tkey\t1\t1f\tC\\\\u0041\n");
        try (PositionFile older = PositionFile.open(state)) {
            assertThat(older.all()).extracting(PositionFile.Entry::partition).containsExactly("C\\\\u0041");
        }
        Files.writeString(state, "updraft-positions 2\n7\t5/\tkey\t1\t1f\ta\nb\n");
        assertThatThrownBy(() -> PositionFile.open(state)).hasMessageContaining(state + ":3: this line is damaged");
        Files.write(state, new byte[] {(byte) 0xFF, 10});
        assertThatThrownBy(() -> PositionFile.open(state)).hasMessageContaining("is damaged: it is not UTF-8");
    }

    @Test
    void shouldFindAFileOnlyByItsNewestIdentity() throws Exception {
        Path first = Files.writeString(directory.resolve("first"), "1");
        Path second = Files.writeString(directory.resolve("second"), "2");
        positions.put(new PositionFile.Entry(new PartitionPosition("a", 0, 5), FileIdentity.of(first), null));
        assertThat(beginnings.known(first).partition()).isEqualTo("a");
        beginnings.moved("a", FileIdentity.of(second));
        assertThat(beginnings.known(first)).isNull();
        assertThat(beginnings.known(second).partition()).isEqualTo("a");
        positions.remove("a");
        assertThat(beginnings.known(second)).isNull();
    }

    @Test
    void shouldFindAFileThatIsCommittedInFullDuringAScan() throws Exception {
        partitions.add("a");
        Path file = Files.writeString(directory.resolve("a"), line(1));
        String partition = beginnings.fresh(file, partitions).commit().partition();
        byte[] head = line(1).getBytes(UTF_8);
        keep(partition, 1);
        assertThat(beginnings.others(head)).isEmpty();
        beginnings.forget(partition);
        assertThat(beginnings.others(head))
                .extracting(PositionFile.Entry::partition)
                .containsExactly(partition);
        keep("other", 2);
        assertThat(beginnings.others(head)).hasSize(1);
    }

    private String rotated(int number) throws IOException {
        Files.deleteIfExists(log);
        Files.writeString(log, line(number));
        String partition = beginnings.fresh(log, partitions).commit().partition();
        partitions.add(partition);
        return partition;
    }

    private void done(String partition, int number) throws IOException {
        keep(partition, number);
        partitions.remove(partition);
        beginnings.forget(partition);
    }

    /** Keeps that a file was read, which held a line of that number; it has the inode that the log has. */
    private void keep(String partition, int number) throws IOException {
        Path file = Files.writeString(directory.resolve("read"), line(number));
        FileIdentity read = FileIdentity.of(file);
        FileIdentity identity = new FileIdentity(key(), read.length(), read.hash());
        positions.put(new PositionFile.Entry(new PartitionPosition(partition, 1, 5), identity, null));
    }

    private String key() throws IOException {
        if (!Files.exists(log)) {
            Files.writeString(log, "");
        }
        return FileIdentity.key(log);
    }

    private static String line(int number) {
        return "{\"n\":" + number + "}\n";
    }
}
