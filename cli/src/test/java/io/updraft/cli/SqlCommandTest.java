package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {

    @TempDir
    Path directory;

    private Path flights;

    @BeforeEach
    void writeFlights() throws Exception {
        flights = Files.writeString(
                directory.resolve("flights.csv"),
                "at,carrier,delay\n2026-01-01T05:00:00Z,UA,2\n2026-01-01T06:00:00Z,AA,4\n2026-01-01T07:00:00Z,UA,8\n");
    }

    private static InProcessCommand inProcess(String... args) {
        return InProcessCommand.run(
                Stream.concat(Stream.of("sql"), Stream.of(args)).toArray(String[]::new));
    }

    @Test
    void shouldWriteTheResultOfAQuery() throws Exception {
        Path out = directory.resolve("out.csv");
        UpdraftProcess updraft = UpdraftProcess.run(
                directory,
                "sql",
                "--view",
                "none",
                "SELECT carrier, sum(delay) AS total, total / count(*) AS mean FROM '" + flights
                        + "' GROUP BY carrier ORDER BY total DESC",
                "--to",
                out.toString());

        assertThat(updraft.exitCode()).as(updraft.err().toString()).isZero();
        assertThat(Files.readAllLines(out).stream().map(line -> line.replaceAll("^.*?(carrier|UA|AA)", "$1")))
                .containsExactly("carrier,total,mean", "UA,10,5.0", "AA,4,4.0");
    }

    @Test
    void shouldReadAQueryAndItsSourcesFromFiles() throws Exception {
        Path sources =
                Files.writeString(directory.resolve("sources.yaml"), "flights: {source: {file: '" + flights + "'}}\n");
        Path query = Files.writeString(
                directory.resolve("hours.sql"),
                "-- by the hour\nSELECT count(*) AS n\nFROM TUMBLE(TABLE flights, DESCRIPTOR(at), INTERVAL '2' HOUR)\nGROUP BY"
                        + " window_start, window_end;\n");
        InProcessCommand explained = inProcess("-f", query.toString(), "--sources", sources.toString(), "--explain");

        assertThat(explained.exitCode()).as(explained.err().toString()).isZero();
        assertThat(explained.out()).contains("name: hours", "  every: 2h", "    'n': 'count(*)'", "  field: at");
    }

    @Test
    void shouldNameThePlaceOfAMistake() throws Exception {
        Path query = Files.writeString(
                directory.resolve("q.sql"), "SELECT carrier,\n  sum(dealy)\nFROM '" + flights + "'\nGROUP BY carrier");
        InProcessCommand checked = inProcess("-f", query.toString(), "--check");

        assertThat(checked.exitCode()).isEqualTo(2);
        assertThat(checked.err()).containsExactly(query + ":2:3: there is no field 'dealy'; did you mean 'delay'?");
    }

    @Test
    void shouldRefuseNoQueryTwoQueriesAndFilesThatAreNotThere() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.sql"), " -- nothing\n");
        for (List<String> each : List.of(
                List.<String>of(),
                List.of("SELECT 1; SELECT 2"),
                List.of("SELECT 1", "-f", empty.toString()),
                List.of("-f", empty.toString()),
                List.of("-f", directory.resolve("none.sql").toString()),
                List.of(
                        "SELECT 1 FROM x",
                        "--sources",
                        directory.resolve("none.yaml").toString()))) {
            InProcessCommand refused = inProcess(each.toArray(String[]::new));
            assertThat(refused.exitCode()).as(each.toString()).isEqualTo(2);
            assertThat(refused.err()).as(each.toString()).isNotEmpty();
        }
    }
}
