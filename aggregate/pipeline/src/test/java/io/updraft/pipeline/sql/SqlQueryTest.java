package io.updraft.pipeline.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.ResultPlace;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.pipeline.spec.SpecWriter;
import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.expression.SelectStatement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlQueryTest {

    private static final String RECORDS = """
            2026-03-28T23:30:00Z,EWR,UA,5,01,1.5
            2026-03-29T10:00:00Z,EWR,AA,-2,02,2.5
            2026-03-29T21:59:00Z,JFK,UA,7,01,3.5
            2026-03-29T22:00:00Z,JFK,AA,0,02,4.5
            """;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void writeFile() throws Exception {
        file = Files.writeString(directory.resolve("f.csv"), "at,origin,carrier,delay,code,price\n" + RECORDS);
    }

    private PipelineSpec read(String query, YamlNode sources, String... to) throws SpecException {
        String text = query.replace("'f.csv'", "'" + file + "'");
        return SqlQuery.read(
                new SpecReader(Map.of()),
                "query",
                text,
                "q",
                sources,
                Stream.of(to).map(ResultPlace::of).toList());
    }

    private List<List<Object>> rows(String query) throws SpecException {
        return new QueryRun(read(query, null)).rows(RECORDS.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the mistakes, with columns as if the path of the file were as short as in the query. */
    private List<String> mistakes(String query) {
        SpecException e = catchThrowableOfType(SpecException.class, () -> read(query, null));
        assertThat(e).as(query).isNotNull();
        return e.mistakes().stream().map(mistake -> text(mistake, query)).toList();
    }

    private String text(Mistake mistake, String query) {
        int column = mistake.where().column();
        int path = query.indexOf("'f.csv'");
        boolean isAfter = mistake.where().line() == 1 && path >= 0 && column > path + 1;
        return mistake.where() + ":" + (isAfter ? column - file.toString().length() + "f.csv".length() : column) + ": "
                + mistake.message();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT origin, count(*) FROM 'f.csv' | 8: origin is neither a key of GROUP BY nor in an aggregate function: add"
                        + " it to GROUP BY, or write any_value(origin) or max(origin)",
                "SELECT * FROM 'f.csv' | 8: SELECT * is not supported: name the columns, and what is computed of the others",
                "SELECT origin FROM 'f.csv' GROUP BY origin | 8: SELECT needs an aggregate function, such as count(*) or"
                        + " sum(x): rows themselves are not returned",
                "SELECT count(*) FROM 'f.csv'; SELECT 2 | 31: several queries are not supported: run one at a time",
                "SELECT DISTINCT origin FROM 'f.csv' | 8: SELECT DISTINCT is not supported: write SELECT a, count(*) FROM ..."
                        + " GROUP BY a",
                "SELECT origin, avg(dealy) FROM 'f.csv' GROUP BY origin | 16: there is no field 'dealy'; did you mean 'delay'?",
                "SELECT origin, avg(carrier) FROM 'f.csv' GROUP BY origin | 16: carrier is of type text, and avg needs type"
                        + " long, double or decimal",
                "SELECT origin, agv(delay) FROM 'f.csv' GROUP BY origin | 16: there is no function agv; did you mean avg?",
                "SELECT origin, count(*) FROM f GROUP BY origin | 30: there is no source f: write a file in quotes, such as FROM"
                        + " 'flights.csv', or describe the source in a file for --sources",
                "SELECT origin, count(*) FROM 'f.csv' JOIN 'g.csv' ON a = b GROUP BY origin | 38: joins are not supported: join"
                        + " the files before, for example with DuckDB",
                "SELECT origin, count(*) FROM 'f.csv', 'g.csv' GROUP BY origin | 37: several tables are not supported: name"
                        + " several files with a pattern such as '*.csv'",
                "SELECT count(*) FROM (SELECT * FROM 'f.csv') | 23: a query inside of another one is not supported: write the"
                        + " inner one to a file first, with --to",
                "SELECT count(*) FROM 'f.csv' UNION SELECT 1 | 30: 'union' is not supported: name several files as 'a.csv',"
                        + " or with a pattern such as '*.csv'",
                "WITH a AS (SELECT 1) SELECT 2 | 1: 'with' is not supported: write one SELECT",
                "SELECT origin, count(*) n FROM 'f.csv' GROUP BY origin ORDER BY n NULLS FIRST | 67: 'nulls first' is not"
                        + " supported: rows without a value come last",
                "SELECT origin, count(*) n FROM 'f.csv' GROUP BY origin LIMIT 10 OFFSET 5 | 65: 'offset' is not supported: leave"
                        + " it out",
                "SELECT origin, count(*) n FROM 'f.csv' GROUP BY origin WHERE n > 5 | 56: WHERE comes before GROUP: the order is"
                        + " SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT",
                "SELECT count(*) n, sum(delay) OVER (PARTITION BY n) FROM 'f.csv' | 31: window functions are not supported: the"
                        + " windows of results are those of 'every'",
                "SELECT count(*) FROM 'f.csv' WHERE origin = 'x' AND delay > 'x' | 53: '>' takes values of one type, not a"
                        + " number and text; CAST converts",
                "SELECT origin, sum(carrier + 1) FROM 'f.csv' GROUP BY origin | 20: '+' does not apply to text and a number",
                "SELECT origin, sum(1 + dealy) FROM 'f.csv' GROUP BY origin | 24: there is no column dealy",
                "SELECT count(*) FILTER (WHERE carrier) FROM 'f.csv' | 8: expected true or false, but this is text, at character"
                        + " 11 of: CASE WHEN carrier THEN 1 END",
                "SELECT upper(origin) AS ORIGIN, count(*) FROM 'f.csv' GROUP BY 1 | 25: ORIGIN is a column of the table, and cannot"
                        + " be the name of a key that is computed of it: write another name after AS",
                "SELECT origin, count(*) AS window_end FROM 'f.csv' GROUP BY 1 | 16: each result has a column window_end already,"
                        + " that of its window: rename the measure",
                "SELECT count(*) FROM 'f.csv' WHERE delay | 36: a filter must be true or false, but this is a number",
                "SELECT count(*) FROM 'f.csv' GROUP BY origin | 39: a key of groups is a column of the result, too: add origin to"
                        + " SELECT",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '1' HOUR) | 22: the groups of TUMBLE are"
                        + " those of its windows: add window_start, window_end to GROUP BY",
                "SELECT count(*) FROM 'f.csv' GROUP BY window_start | 39: window_start and window_end need windows: write FROM"
                        + " TUMBLE(TABLE t, DESCRIPTOR(time), INTERVAL '1' HOUR)",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', at, INTERVAL '1' HOUR) GROUP BY window_start | 44: expected the"
                        + " column with the time, as DESCRIPTOR(column)",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), 60) GROUP BY window_start | 60: expected an"
                        + " interval, such as INTERVAL '15' MINUTE, not 60",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(origin), INTERVAL '1' DAY) GROUP BY window_start | 55:"
                        + " none of the first values of origin is a time: name another field, or describe the form of its times"
                        + " in 'flatten: fields'",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '2' MONTH) GROUP BY window_start | 60: windows are"
                        + " of some MILLISECONDs to DAYs, or of one WEEK, MONTH, QUARTER or YEAR, not of 2 MONTH",
                "SELECT count(*) FROM SESSION(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '1' HOUR) GROUP BY window_start | 22:"
                        + " SESSION is not supported: windows are TUMBLE or HOP",
                "SELECT count(*) FROM HOP(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '7' MINUTE, INTERVAL '1' HOUR) GROUP BY"
                        + " window_start | 57: the first interval of HOP must divide the second: 1h is not a multiple of 7m",
                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '1' DAY, 'Europe/Wien') GROUP BY"
                        + " window_start | 78: 'Europe/Wien' is not a time zone; write UTC, +01:00 or Europe/Vienna",
                "SELECT origin, count(*) n FROM 'f.csv' GROUP BY origin QUALIFY rank() OVER (ORDER BY n) < 3 | 64: QUALIFY is"
                        + " written as QUALIFY row_number() OVER (PARTITION BY a ORDER BY n DESC) <= 3",
                "SELECT count(*) n, sum(delay) n FROM 'f.csv' | 31: there are two columns n: name one of them with AS",
                "SELECT origin, sum(delay) / price FROM 'f.csv' GROUP BY origin | 16: 'price' has one value for each record, not"
                        + " for each group: write max(price) or first(price), or add it to GROUP BY",
                "SELECT origin, count(*) FROM 'f.csv' GROUP BY 3 | 47: there are only 2 columns, and none at place 3",
                "SELECT sum(delay) + max(sum(delay)) FROM 'f.csv' | 25: an aggregate function cannot be inside of another one",
                "SELECT count(* FROM 'f.csv' | 13: no ) closes this parenthesis",
                "SELECT count(*) FROM 'f.csv | 22: no ' closes the quoted text",
                "SELECT count(*) FROM read_parquet('f.csv') | 22: there is no table function read_parquet: write the file in"
                        + " quotes, or read_csv(...), read_json(...), TUMBLE(...), HOP(...)",
                "SELECT count(*) FROM read_csv('f.csv', delm = ';') | 47: there is no option delm: there is delim, header,"
                        + " nullstr and quote; types are guessed, or described in a file for --sources",
                "SELECT count(*) FROM 'f.csv' AS f | 30: a table cannot have another name here: leave this out",
                "SELECT count(*) | 16: SELECT needs FROM: a file in quotes, such as FROM 'flights.csv'",
                "SELECT median(delay, 2) FROM 'f.csv' | 8: median needs one field, such as median(field)",
                "SELECT quantile_cont(delay) FROM 'f.csv' | 8: quantile_cont needs a field and a fraction from 0 to 1, such as"
                        + " quantile_cont(field, 0.99)",
                "SELECT upper(orgin) AS o, count(*) FROM 'f.csv' GROUP BY o | 14: there is no column orgin",
                "SELECT count(*) FROM 'f.csv' HAVING coutn > 1 | 37: there is no column coutn",
                "SELECT count(*) FROM 'f.csv' LIMIT many | 36: 'many' is not a whole number"
            })
    void shouldNameThePlaceOfAMistakeAndWhatToWriteInstead(String query, String message) {
        assertThat(mistakes(query).get(0)).startsWith("query:1:").isEqualTo("query:1:" + message);
    }

    @Test
    void shouldNameTheLineOfAMistake() {
        assertThat(
                        mistakes(
                                "-- the delays\nSELECT origin,\n  avg(delay) /* mean */ + summ(delay) AS a\nFROM 'f.csv'\nGROUP BY origin"))
                .containsExactly("query:3:27: there is no function summ; did you mean sum?");
    }

    @Test
    void shouldAggregateByKeysThatAreComputedNamedOrCounted() throws Exception {
        assertThat(
                        rows(
                                "SELECT lower(origin) AS o, code, count(*), sum(price * 2) FROM 'f.csv' GROUP BY 1, code ORDER BY 1, 2"))
                .containsExactly(
                        List.of("ewr", "01", 1L, 3.0),
                        List.of("ewr", "02", 1L, 5.0),
                        List.of("jfk", "01", 1L, 7.0),
                        List.of("jfk", "02", 1L, 9.0));
        assertThat(rows("select delay % 2 = 0 even, max(ORIGIN) m from 'f.csv' group by even order by even"))
                .containsExactly(List.of(false, "JFK"), List.of(true, "JFK"));
        assertThat(
                        rows(
                                "SELECT carrier c, delay, count(*) n FROM 'f.csv' WHERE delay <> 7 GROUP BY ALL ORDER BY delay DESC LIMIT 2"))
                .containsExactly(List.of("UA", 5L, 1L), List.of("AA", 0L, 1L));
    }

    @Test
    void shouldFindColumnsThatAreWrittenInOtherCase() throws Exception {
        assertThat(
                        rows(
                                "SELECT Origin, count(*) AS n FROM 'f.csv' WHERE CARRIER = 'UA' GROUP BY ORIGIN ORDER BY oRIGIN"))
                .containsExactly(List.of("EWR", 1L), List.of("JFK", 1L));
        assertThat(rows(
                        "SELECT ORIGIN, Carrier, sum(DELAY) FROM 'f.csv' GROUP BY ALL QUALIFY row_number() OVER (PARTITION BY"
                                + " origin ORDER BY sum(delay) DESC) <= 1 ORDER BY carrier, 1"))
                .containsExactly(List.of("EWR", "UA", 5L), List.of("JFK", "UA", 7L));
        assertThat(
                        rows(
                                "SELECT count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(AT), INTERVAL '1' DAY) GROUP BY WINDOW_START"))
                .extracting(row -> row.get(1))
                .containsExactly(1L, 3L);
    }

    @Test
    void shouldKnowAKeyByItsExpression() throws Exception {
        assertThat(
                        rows(
                                "SELECT upper(carrier), lower( UPPER(carrier) ) || count(*) AS c, (delay % 2) + 1 AS d, delay % 2 FROM 'f.csv'"
                                        + " GROUP BY upper(carrier), delay % 2 HAVING upper(carrier) > 'AA' ORDER BY delay % 2"))
                .containsExactly(List.of("UA", 1L, "ua2", 2L));
    }

    @Test
    void shouldHaveWindowsOfAZone() throws Exception {
        String query =
                "SELECT window_start, count(*) AS n FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '1' DAY%s) GROUP BY"
                        + " window_start, window_end";
        assertThat(rows(query.formatted(""))).extracting(row -> row.get(1)).containsExactly(1L, 3L);
        // The day of the clock change has 23 hours in Vienna.
        assertThat(rows(query.formatted(", 'Europe/Vienna'")))
                .extracting(row -> row.get(1))
                .containsExactly(3L, 1L);
    }

    @Test
    void shouldHaveOverlappingWindows() throws Exception {
        assertThat(rows(
                        "SELECT window_start, count(*) FROM HOP(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '12' HOUR, INTERVAL '1'"
                                + " DAY) GROUP BY window_start, window_end"))
                .extracting(row -> row.get(1))
                .containsExactly(1L, 2L, 3L, 2L);
    }

    @Test
    void shouldReadSourcesThatADescriptionNames() throws Exception {
        Path described = Files.writeString(directory.resolve("sources.yaml"), """
                clicks:
                  source: {kafka: {bootstrap: "a:1", topic: clicks}}
                  format: json
                  flatten:
                    fields: {page: text, at: time, ms: double, shop: {type: text, from: header shop}}
                    filter: page <> '/health'
                  time: {disorder: 5s}
                  dead_letters: {stderr: 3}
                """);
        YamlNode sources = SpecReader.nodes(described);
        PipelineSpec spec = read(
                "SELECT shop, count(*) AS n FROM TUMBLE(TABLE clicks, DESCRIPTOR(at), INTERVAL '15 minutes') WHERE ms > 1 OR page"
                        + " IS NULL GROUP BY window_start, window_end, shop",
                sources,
                "out.csv");

        assertThat(spec.source()).isInstanceOf(SourceSpec.Kafka.class);
        assertThat(spec.decode().filter()).isEqualTo("(ms > 1 OR page IS NULL) AND (page <> '/health')");
        assertThat(spec.time().field()).isEqualTo("at");
        assertThat(spec.time().disorder()).hasSeconds(5);
        assertThat(spec.aggregate().window().size()).hasMinutes(15);
        assertThat(spec.deadLetters()).isNotNull();
        assertThat(read("SELECT count(*) AS n FROM clicks", sources).aggregate().allTime())
                .isTrue();
        SpecException e = catchThrowableOfType(SpecException.class, () -> read("SELECT count(*) FROM click", sources));
        assertThat(e.mistakes())
                .singleElement()
                .asString()
                .endsWith("there is no source click; did you mean 'clicks'?");
    }

    @Test
    void shouldReadFilesWithOptions() throws Exception {
        Path other = Files.writeString(directory.resolve("o.txt"), "k;v\na;NA\nb;2\n");
        PipelineSpec spec = read(
                "SELECT k, sum(v) FROM read_csv('" + other
                        + "', delim = ';', nullstr = 'NA', header = TRUE) GROUP BY k",
                null);
        assertThat(new QueryRun(spec).rows("a;NA\nb;2\n".getBytes(StandardCharsets.UTF_8)))
                .containsExactlyInAnyOrder(java.util.Arrays.asList("a", null), List.of("b", 2L));
    }

    @Test
    void shouldNumberTheColumnsOfAFileWithoutAHeader() throws Exception {
        PipelineSpec spec = read(
                "SELECT column1, count(column3) FROM read_csv('f.csv', header = false) WHERE column2 = 'UA' GROUP BY column1",
                null);
        assertThat(spec.decode().csv().names())
                .containsExactly("column0", "column1", "column2", "column3", "column4", "column5");
    }

    @Test
    void shouldBeThePipelineThatItIsExplainedAs() throws Exception {
        for (String query : List.of(
                "SELECT origin, count(*) FILTER (WHERE delay > 0) / count(*) AS late, median(price) FROM 'f.csv' WHERE carrier IN"
                        + " ('UA', '${HOME}') GROUP BY origin HAVING late > 0 ORDER BY late DESC LIMIT 3",
                "SELECT upper(carrier) AS \"the carrier\", delay, sum(price * delay) FROM 'f.csv' GROUP BY ALL QUALIFY row_number()"
                        + " OVER (PARTITION BY delay ORDER BY sum(price * delay) DESC) <= 2",
                "SELECT origin, avg(delay) FROM HOP(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '5' MINUTE, INTERVAL '1' HOUR) GROUP BY"
                        + " window_start, window_end, origin",
                "SELECT window_start, count(*) FROM TUMBLE(TABLE 'f.csv', DESCRIPTOR(at), INTERVAL '1' MONTH, 'Asia/Tokyo') GROUP BY"
                        + " window_start, window_end")) {
            PipelineSpec spec = read(query, null, "out.csv", "json");
            String written = SpecWriter.write(spec);
            assertThat(new SpecReader(Map.of()).read("explained.yaml", written, "q"))
                    .as(written)
                    .isEqualTo(spec);
        }
    }

    @Test
    void shouldSplitStatements() {
        String text = "SELECT 1; -- a; b\n /* c;\n */ SELECT ';' ;\n;";
        List<String> statements = SelectStatement.split(text);

        assertThat(statements).extracting(String::strip).containsExactly("SELECT 1", "SELECT ';'");
        assertThat(statements.get(1).indexOf("SELECT")).isEqualTo(text.lastIndexOf("SELECT"));
        assertThat(statements.get(1).lines()).hasSize(3);
    }
}
