package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.observe.pipeline.PipelineProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that can use no record, as with a wrong clock or format, leaves the records to the next run. */
@Tag("one-jdk")
final class UnusableRecordsTest {

    private static final String TOMORROW =
            Instant.now().plus(Duration.ofDays(7)).toString();
    private static final long MINUTE = 60_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time: {field: t}",
                "time: {field: other}",
                "format: json\ntime: {field: t}",
                "dead_letters: {file: bad.json}\ntime: {field: t}"
            })
    void shouldLeaveAFileOfWhichNothingCouldBeUsedToTheNextRun(String mistake) throws Exception {
        write("t,k,other\n" + (TOMORROW + ",a,\n").repeat(300));
        try (CapturedWarnings warnings = new CapturedWarnings(UnusableRecords.class)) {
            assertThat(toEnd(mistake.replace("bad.json", directory + "/bad.json"))
                            .rows())
                    .isZero();
            assertThat(warnings.lines())
                    .singleElement()
                    .asString()
                    .contains(
                            "none of ", " in this run could be used; the first: " + log() + " at ", "'unusable: skip'");
        }
        assertThat(toEnd("time: {field: t, ahead: 30d}").rows()).isEqualTo(300);
        assertThat(toEnd("time: {field: t, ahead: 30d}").records()).isZero();
    }

    @Test
    void shouldSkipUnusableRecordsOnPurpose() throws Exception {
        write("t,k,other\n" + (TOMORROW + ",a,\n").repeat(300));
        assertThat(toEnd("time: {field: t}\nunusable: skip").rejected()).isEqualTo(300);
        assertThat(toEnd("time: {field: t, ahead: 30d}").records()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic: out", "topic: out, exactly_once: true"})
    void shouldCommitNoOffsetsBehindRecordsOfWhichNoneCouldBeUsed(String sink) throws Exception {
        String topic = "unusable-" + sink.length();
        try (ShortRuns runs = new ShortRuns()) {
            runs.kafka.createTopic(topic, 1, 1);
            runs.kafka.createTopic(topic + "-out", 1, 1);
            runs.send(
                    topic,
                    0,
                    "{\"t\":\"2020-01-01T00:00:00Z\",\"k\":\"a\"}",
                    "{\"t\":\"2020-01-01T00:00:01Z\",\"k\":\"a\"}");
            String yaml = """
                    source: {kafka: {bootstrap: "%s", topic: %s, group: %s, to_end: true}}
                    format: json
                    flatten: {fields: {t: {type: time, path: %%s}, k: text}}
                    time: {field: t}
                    aggregate: {group_by: k, measures: {n: count()}, every: 1s}
                    sinks: [kafka: {bootstrap: "%s", %s}]
                    parallelism: 2
                    """.formatted(
                    runs.kafka.bootstrap(), topic, topic, runs.kafka.bootstrap(), sink.replace("out", topic + "-out"));
            assertThat(ShortRuns.toEnd("unusable", yaml.formatted("wrong")).rejected())
                    .isEqualTo(2);
            // The position at which reading has begun may be committed before any record was handled.
            assertThat(runs.committed(topic, topic, 0)).isIn(null, 0L);
            assertThat(ShortRuns.toEnd("unusable", yaml.formatted("t")).rows()).isEqualTo(2);
            assertThat(runs.committed(topic, topic, 0)).isEqualTo(2);
        }
    }

    @Test
    void shouldCommitNoOffsetsOfARouteThatCanDecodeNothing() throws Exception {
        try (ShortRuns runs = new ShortRuns()) {
            runs.kafka.createTopic("unroutable", 1, 1);
            runs.kafka.createTopic("routed", 1, 1);
            runs.send("unroutable", 0, "a,1", "b,2");
            String yaml = """
                    source: {kafka: {bootstrap: "%s", topic: unroutable, group: unroutable, to_end: true}}
                    format: %%s
                    flatten: {fields: {k: text, n: long}}
                    route: {key: k, topic: routed, bootstrap: "%s", partitions: 1}
                    """.formatted(runs.kafka.bootstrap(), runs.kafka.bootstrap());
            assertThat(ShortRuns.toEnd("unroutable", yaml.formatted("json")).rejected())
                    .isEqualTo(2);
            assertThat(runs.committed("unroutable", "unroutable", 0)).isIn(null, 0L);
            assertThat(ShortRuns.toEnd("unroutable", yaml.formatted("{type: csv, names: [k, n]}"))
                            .rows())
                    .isEqualTo(2);
            assertThat(runs.committed("unroutable", "unroutable", 0)).isEqualTo(2);
        }
    }

    @Test
    void shouldHoldPositionsOnlyWhileNothingButManyUnusableRecordsCame() {
        UnusableRecords records = new UnusableRecords(false, 100);
        assertThat(records.holdsPositions()).isFalse();
        records.add(new UnusableRecords.Counts(0, 1, "u at 0: no"));
        assertThat(records.holdsPositions()).isTrue();
        records.add(new UnusableRecords.Counts(1, 9, "u at 1: no"));
        assertThat(records.holdsPositions()).isFalse();
        records.add(new UnusableRecords.Counts(0, 60, "u at 9: no"));
        records.add(new UnusableRecords.Counts(0, 40, "u at 69: no"));
        assertThat(records.holdsPositions()).isFalse();
        records.add(new UnusableRecords.Counts(0, 1, "u at 109: no"));
        assertThat(records.holdsPositions()).isTrue();
        records.add(new UnusableRecords.Counts(1, 0, null));
        assertThat(records.holdsPositions()).isFalse();
    }

    @Test
    void shouldSayOnceAMinuteAndWhenTheRunEndsThatPositionsAreHeld() {
        UnusableRecords records = new UnusableRecords(false, 0);
        UnusableRecords.Counts bad = new UnusableRecords.Counts(0, 7, "u at 9: no");
        UnusableRecords.Counts good = new UnusableRecords.Counts(1, 0, null);
        try (CapturedWarnings warnings = new CapturedWarnings(UnusableRecords.class)) {
            records.warn(0, true);
            assertThat(warnings.lines()).isEmpty();
            records.add(bad);
            records.warn(0, false);
            records.warn(MINUTE - 1, true);
            assertThat(warnings.lines())
                    .singleElement()
                    .asString()
                    .contains("none of 7 records in this run could be used; the first: u at 9: no");
            records.warn(MINUTE, false);
            records.add(good);
            records.add(bad);
            records.warn(MINUTE + 1, false);
            assertThat(warnings.lines()).hasSize(2);
            records.warn(MINUTE + 1, true);
            assertThat(warnings.lines()).hasSize(3).last().asString().contains("7 records after the last usable one");
        }
    }

    private PipelineProgress toEnd(String how) throws Exception {
        return ShortRuns.toEnd("unusable", yaml(how));
    }

    private String yaml(String how) {
        return """
                source: {file: {path: "%s", resume: true}}
                flatten: {fields: {t: time, k: text, other: time}}
                aggregate: {group_by: k, measures: {n: count()}, every: 1s}
                parallelism: 2
                state: %s
                sinks: [csv: "%s"]
                %s
                """.formatted(log(), directory.resolve("state"), directory.resolve("out.csv"), how);
    }

    private Path log() {
        return directory.resolve("a.csv");
    }

    private void write(String text) throws Exception {
        Files.writeString(log(), text);
    }
}
