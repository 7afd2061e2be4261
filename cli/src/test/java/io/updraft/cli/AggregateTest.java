package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class AggregateTest {

    @TempDir
    Path directory;

    private Path flights;

    @BeforeEach
    void writeFlights() throws Exception {
        flights = Files.writeString(directory.resolve("flights.csv"), """
                time_hour,carrier,origin,dep_delay
                2013-01-01T05:00:00Z,UA,EWR,2
                2013-01-01T05:30:00Z,AA,JFK,NA
                2013-01-01T06:00:00Z,UA,EWR,40
                2013-01-01T06:00:00Z,UA,JFK,-1
                """);
    }

    @Test
    void shouldAggregateByFlagsAlone() throws Exception {
        Path out = directory.resolve("out.csv");
        UpdraftProcess updraft = aggregate(
                "--from",
                flights.toString(),
                "--group-by",
                "carrier",
                "--sum",
                "dep_delay",
                "--count",
                "--every",
                "1h",
                "--to",
                out.toString());
        assertThat(updraft.exitCode()).as(updraft.err().toString()).isZero();
        assertThat(Files.readAllLines(out)).hasSize(4).anyMatch(line -> line.contains("UA") && line.endsWith(",39"));
        assertThat(updraft.err())
                .anyMatch(line -> line.matches("aggregate ran .* s: 4 records .* 4 rows, 0 rejected, 0 late.*"));
    }

    @Test
    void shouldAggregateEverythingIntoOneTableWithoutWindows() throws Exception {
        UpdraftProcess updraft =
                aggregate("--from", flights.toString(), "--group-by", "carrier", "--sum", "dep_delay", "--count");
        assertThat(updraft.exitCode()).as(updraft.err().toString()).isZero();
        assertThat(updraft.out()).anyMatch(line -> line.matches(" *UA +3 +41"));
    }

    @Test
    void shouldExplainWhatFlagsAmountToAndRunThat() throws Exception {
        InProcessCommand explained =
                inProcess("--from", flights.toString(), "--max", "dep_delay", "--every", "1d", "--explain");
        assertThat(explained.exitCode()).isZero();
        assertThat(explained.out())
                .contains("    max_dep_delay: 'max(dep_delay)'", "  field: time_hour", "  every: 1d");
        Path yaml = Files.write(directory.resolve("pipeline.yaml"), explained.out());
        InProcessCommand checked = inProcess("--check", yaml.toString());
        assertThat(checked.out()).containsExactly(yaml + ": nothing is wrong");
    }

    @Test
    void shouldTakeDaysOfAZone() {
        InProcessCommand days = inProcess(
                "--from", flights.toString(), "--count", "--every", "day", "--zone", "Europe/Vienna", "--explain");
        assertThat(days.out()).contains("  every: day", "  zone: Europe/Vienna");
        InProcessCommand fixed = inProcess("--from", flights.toString(), "--count", "--every", "1d", "--zone", "UTC");
        assertThat(fixed.err())
                .singleElement()
                .asString()
                .startsWith("updraft aggregate: --zone needs windows of the calendar: in place of --every 1d write"
                        + " --every day, or another of day, week");
    }

    @Test
    void shouldNameMistakesByFlag() {
        InProcessCommand updraft = inProcess(
                "--from",
                flights.toString(),
                "--group-by",
                "carier",
                "--sum",
                "origin",
                "--every",
                "5 min",
                "--to",
                "x.xls");
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .containsExactlyInAnyOrder(
                        "updraft aggregate: --group-by: there is no field 'carier'; did you mean 'carrier'?",
                        "updraft aggregate: --sum: origin is of type text, and sum needs type long, double or decimal",
                        "updraft aggregate: --every: '5 min' is not a duration; write a number and a unit:"
                                + " 250ms, 30s, 5m, 2h, 1d",
                        "updraft aggregate: --to: a sink cannot be 'xls'; there is stdout, csv, json, parquet,"
                                + " kafka, redis, postgres");
    }

    @Test
    void shouldSayThatWindowsNeedTheTimeOfARecord() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain.csv"), "carrier,delay\nUA,2\n");
        InProcessCommand updraft =
                inProcess("--from", plain.toString(), "--group-by", "carrier", "--count", "--every", "1h");
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .singleElement()
                .asString()
                .startsWith("updraft aggregate: --every needs the time of a record")
                .contains("--time");
    }

    @Test
    void shouldTakeTheDisorderOfTheTimeThatIsFound() {
        InProcessCommand explained =
                inProcess("--from", flights.toString(), "--count", "--every", "1h", "--disorder", "90s", "--explain");
        assertThat(explained.exitCode()).as(explained.err().toString()).isZero();
        assertThat(explained.out()).contains("  field: time_hour", "  disorder: 90s");
    }

    @Test
    void shouldRefuseFlagsThatHaveNoUseTogether() {
        assertThat(inProcess("--from", "-", "--follow", "--count").err().get(0)).contains("--follow is for files");
        assertThat(inProcess("--from", "-", "--from", flights.toString(), "--count")
                        .err()
                        .get(0))
                .contains("--from - is standard input, which cannot be read together with files");
        assertThat(inProcess(
                                "--from",
                                flights.toString(),
                                "--count",
                                "--every",
                                "1h",
                                "--time",
                                "processing",
                                "--disorder",
                                "1s")
                        .err()
                        .get(0))
                .contains("--disorder has no use with --time processing");
    }

    @Test
    void shouldNameMistakesByLine() throws Exception {
        Path yaml = Files.writeString(directory.resolve("p.yaml"), "source: {fil: x}\naggregate: {}\n");
        InProcessCommand updraft = inProcess(yaml.toString());
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .containsExactly(
                        yaml + ":1:10: 'source' cannot be 'fil'; did you mean 'file'?",
                        yaml + ":2:12: 'aggregate' needs 'measures'");
    }

    @Test
    void shouldRefuseNothingAndBoth() {
        assertThat(inProcess().err()).singleElement().asString().contains("no pipeline given");
        assertThat(inProcess("p.yaml", "--count").err())
                .singleElement()
                .asString()
                .contains("either by a file or by flags");
    }

    @Test
    void shouldFailIfNoRecordCouldBeUsedAndTellIfSomeCouldNot() throws Exception {
        Path yaml = directory.resolve("bad.yaml");
        Path records = directory.resolve("records.json");
        Files.writeString(yaml, """
                source: {file: %s}
                format: json
                flatten: {fields: {n: {type: long, required: true}}}
                aggregate: {measures: {total: sum(n)}}
                sinks: [{csv: {path: "%s"}}]
                """.formatted(records, directory.resolve("out.csv")));
        Files.writeString(records, "x\n{\"n\": true}\n");
        UpdraftProcess all = aggregate("--view", "none", yaml.toString());
        assertThat(all.awaitExit()).isOne();
        assertThat(all.err())
                .singleElement()
                .asString()
                .startsWith(
                        "updraft: none of the 2 records that were read could be used; for example " + records + " at ");
        Files.writeString(records, "x\n{\"n\": 3}\n");
        UpdraftProcess some = aggregate("--view", "none", yaml.toString());
        assertThat(some.awaitExit()).isZero();
        assertThat(some.err())
                .singleElement()
                .asString()
                .startsWith("updraft: 1 of 2 records could not be used: " + records + " at 0: ");
    }

    @Test
    void shouldReadLinesThatEndInCarriageReturnsAndSayWhenThereAreNoRecords() throws Exception {
        Path data = Files.writeString(directory.resolve("mac.csv"), "k,\"n\ro\"\ra,1\r\"b\rb\",2\r");
        UpdraftProcess two = aggregate("--view", "none", "--from", data.toString(), "--sum", "n\ro", "--to", "json");
        assertThat(two.exitCode()).as(two.err().toString()).isZero();
        assertThat(two.out()).singleElement().asString().contains(":3");
        Files.writeString(data, "k,n\r");
        UpdraftProcess none = aggregate("--view", "none", "--from", data.toString(), "--count");
        assertThat(none.exitCode()).isZero();
        assertThat(none.err())
                .containsExactly("updraft: 0 records in the 4 bytes that were read: only headers or empty lines");
        Files.writeString(directory.resolve("none.json"), "");
        UpdraftProcess empty = aggregate(
                "--view", "none", "--from", directory.resolve("none.json").toString(), "--count");
        assertThat(empty.exitCode()).isZero();
        assertThat(empty.err()).containsExactly("updraft: 0 records: the source had none");
    }

    /** {@code timeout} signals the process, and then the group of the process. */
    @Test
    void shouldWriteWhatIsCompleteWhenOneRequestToEndIsSeveralSignals() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.startGroup(
                directory,
                command("--view", "plain", "--from", flights.toString(), "--follow", "--count", "--every", "1h"));
        updraft.awaitErr("updraft: console: ");
        updraft.signalAsTimeout("TERM");
        assertThat(updraft.awaitExit()).as("%s", updraft.err()).isZero();
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("aggregate ran "));
    }

    /** Without that, all that one sees is that no window is written. */
    @Test
    void shouldSayWhatItWaitsForWhenResultsCannotBeWritten() throws Exception {
        Path yaml = Files.writeString(directory.resolve("p.yaml"), """
                source: {file: %s}
                aggregate: {group_by: carrier, measures: {n: count()}}
                sinks: [{redis: {server: "redis://127.0.0.1:1", key: "flights:{carrier}:{window_start}"}}]
                """.formatted(flights));
        UpdraftProcess updraft = UpdraftProcess.start(directory, "aggregate", "--view", "none", yaml.toString());
        updraft.awaitErr("updraft: Opening Redis at redis://127.0.0.1:1 has failed for");
        updraft.signal("TERM");
        assertThat(updraft.awaitExit()).isOne();
        assertThat(updraft.err().get(0)).matches(".* has failed for \\d+ s; retrying: .*127.0.0.1:1.*");
    }

    private UpdraftProcess aggregate(String... args) throws Exception {
        return UpdraftProcess.run(directory, command(args));
    }

    private static InProcessCommand inProcess(String... args) {
        return InProcessCommand.run(command(args));
    }

    private static String[] command(String... args) {
        return Stream.concat(Stream.of("aggregate"), Stream.of(args)).toArray(String[]::new);
    }
}
