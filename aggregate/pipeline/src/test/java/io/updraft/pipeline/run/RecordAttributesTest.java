package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that a source knows besides the content of records, from the file to the result. */
class RecordAttributesTest {

    private static final int RECORDS = 60_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldAggregateByFileAndLine(int parallelism) throws Exception {
        Path first =
                Files.writeString(directory.resolve("a.csv"), "k;v\n" + "x;\"1,5\n\"\n" + "x;1,5\n".repeat(RECORDS));
        Path second = Files.writeString(directory.resolve("b.csv"), "k;v\n" + "x;1.000,25\n".repeat(10));
        Path out = directory.resolve("out.csv");

        long rejected = ShortRuns.toEnd("attributes", """
                source: {file: ["%s", "%s"]}
                format: {type: csv, delimiter: ";"}
                flatten:
                  fields:
                    k: text
                    v: {type: double, decimal: ",", thousands: "."}
                    file: {from: file}
                    line: {from: line}
                  derive: {odd: line %% 2}
                  filter: line > 2
                aggregate: {group_by: [file, odd, k], measures: {n: count(), from: min(line), to: max(line), s: sum(v)}}
                parallelism: %d
                sinks: [{csv: {path: "%s"}}]
                """.formatted(first, second, parallelism, out))
                .rejected();

        // The first record of the first file has two lines, and is no number.
        assertThat(rejected).isEqualTo(1);
        assertThat(Files.readString(out).lines().skip(1).sorted())
                .containsExactly(
                        ",," + first + ",0,x,30000,4,60002,45000.0",
                        ",," + first + ",1,x,30000,5,60003,45000.0",
                        ",," + second + ",0,x,4,4,10,4001.0",
                        ",," + second + ",1,x,5,3,11,5001.25");
    }

    @Test
    void shouldGiveTheLineToEachElement() throws Exception {
        Path in = Files.writeString(
                directory.resolve("in.json"), "{\"legs\":[{\"d\":1},{\"d\":2}]}\n\n{\"legs\":[{\"d\":3}]}\n");
        Path out = directory.resolve("out.csv");

        ShortRuns.toEnd("elements", """
                source: {file: "%s"}
                flatten: {explode: legs, fields: {d: {type: long, path: "@.d"}, line: {type: long, from: line}}}
                aggregate: {group_by: line, measures: {s: sum(d)}}
                sinks: [{csv: {path: "%s"}}]
                """.formatted(in, out));

        assertThat(Files.readString(out).lines().skip(1)).containsExactlyInAnyOrder(",,1,3", ",,3,3");
    }
}
