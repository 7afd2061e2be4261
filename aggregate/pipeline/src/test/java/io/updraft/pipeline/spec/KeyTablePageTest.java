package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of keys in docs/aggregate.md must be those of the code. A row may say more than the code. */
class KeyTablePageTest {

    private static final String HEADER = "| key | default | |";

    /** The headings, and for sinks the kind in the first column. */
    private static final Map<KeyTable, String> PLACES = Map.ofEntries(
            Map.entry(KeyTable.PIPELINE, "## Other keys"),
            Map.entry(KeyTable.CSV, "## `format`"),
            Map.entry(KeyTable.FLATTEN, "## `flatten`"),
            Map.entry(KeyTable.FIELD, "## `flatten`"),
            Map.entry(KeyTable.TIME, "## `time`"),
            Map.entry(KeyTable.AGGREGATE, "## `aggregate`"),
            Map.entry(KeyTable.FILE, "### `file`"),
            Map.entry(KeyTable.STDIN, "### `stdin`"),
            Map.entry(KeyTable.KAFKA, "### `kafka`"),
            Map.entry(KeyTable.HTTP, "### `http`"),
            Map.entry(KeyTable.GENERATOR, "### `generator`"),
            Map.entry(KeyTable.ROUTE, "## `route`"),
            Map.entry(KeyTable.STDOUT, "## `sinks`"),
            Map.entry(KeyTable.RESULT_FILE, "## `sinks`"),
            Map.entry(KeyTable.KAFKA_SINK, "## `sinks`"),
            Map.entry(KeyTable.REDIS, "## `sinks`"),
            Map.entry(KeyTable.POSTGRES, "## `sinks`"),
            Map.entry(KeyTable.RECORD_FILE, "## `late`, `dead_letters`"),
            Map.entry(KeyTable.RECORD_TOPIC, "## `late`, `dead_letters`"),
            Map.entry(KeyTable.RECORD_SAMPLE, "## `late`, `dead_letters`"));

    private static final Map<KeyTable, String> KINDS = Map.of(
            KeyTable.STDOUT, "`stdout` | ",
            KeyTable.RESULT_FILE, "`csv`, `json`, `parquet` | ",
            KeyTable.KAFKA_SINK, "`kafka` | ",
            KeyTable.REDIS, "`redis` | ",
            KeyTable.POSTGRES, "`postgres` | ",
            KeyTable.RECORD_FILE, "`file` | ",
            KeyTable.RECORD_TOPIC, "`kafka` | ",
            KeyTable.RECORD_SAMPLE, "`stderr` | ");

    /** The keys of these sections are in the row of the key that holds the section. */
    private static final Map<KeyTable, String> IN_ONE_ROW = Map.of(
            KeyTable.CERTIFICATE,
            "| `tls` |",
            KeyTable.LIMITS,
            "| `limits` |",
            KeyTable.TOP,
            "| `top` |",
            KeyTable.UNIQUE,
            "| `unique` |");

    @ParameterizedTest
    @EnumSource
    void shouldHaveARowForEachKey(KeyTable table) throws IOException {
        if (IN_ONE_ROW.containsKey(table)) {
            String row = lines().filter(line -> line.startsWith(IN_ONE_ROW.get(table)))
                    .findFirst()
                    .orElse("");
            assertThat(row)
                    .contains(keys(table).map(key -> '`' + key.name() + '`').toList());
            return;
        }
        List<String> rows = section(PLACES.get(table)).toList();
        keys(table).forEach(key -> assertThat(rows).anyMatch(row -> row.startsWith(row(table, key)), row(table, key)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveNoOtherRows(KeyTable table) throws IOException {
        if (!IN_ONE_ROW.containsKey(table) && !KINDS.containsKey(table) && table != KeyTable.FIELD) {
            List<String> rows = section(PLACES.get(table))
                    .dropWhile(line -> !line.equals(HEADER))
                    .takeWhile(line -> line.startsWith("|"))
                    .skip(2)
                    .toList();
            boolean clients = keys(table).anyMatch(key -> key.form() == SectionKey.Form.CLIENTS);
            assertThat(rows).hasSize((int) keys(table).count() + (clients ? 1 : 0));
        }
    }

    @Test
    void shouldNameTheSectionsInTheOverview() throws IOException {
        String page = lines().collect(Collectors.joining("\n"));
        String overview = page.substring(page.indexOf("| key | meaning | default |"), page.indexOf("## Running it"));
        KeyTable.PIPELINE.keys().forEach(key -> assertThat(overview).contains('`' + key.name() + '`'));
    }

    private static Stream<SectionKey> keys(KeyTable table) {
        boolean sections = table == KeyTable.PIPELINE;
        return table.keys().stream().filter(key -> !sections || key.form() != SectionKey.Form.OTHER);
    }

    private static String row(KeyTable table, SectionKey key) {
        String otherwise = key.otherwise().isEmpty() ? key.usually() : '`' + key.otherwise() + '`';
        return "| " + KINDS.getOrDefault(table, "") + '`' + key.name() + "` | " + otherwise
                + (otherwise.isEmpty() ? "| " : " | ") + key.meaning();
    }

    private static Stream<String> section(String heading) throws IOException {
        return lines().dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.matches("##+ .*") || line.startsWith("#### "));
    }

    private static Stream<String> lines() throws IOException {
        return Files.readString(Path.of("../../docs/aggregate.md")).lines();
    }
}
