package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UniqueReaderTest {

    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void write() throws Exception {
        data = Files.writeString(directory.resolve("e.csv"), "t,id,n\n2020-01-01T00:00:00Z,a,1\n");
    }

    private PipelineSpec read(String aggregate) throws SpecException {
        return new SpecReader(Map.of())
                .read("p.yaml", "source: {file: '" + data + "'}\nparallelism: 4\naggregate:\n" + aggregate, "p");
    }

    @Test
    void shouldReadAnIdThatNothingElseUses() throws Exception {
        PipelineSpec spec = read("  measures: {c: count()}\n  every: 1h\n  unique: {by: id, within: 90s, ids: 7}\n");
        assertThat(spec.aggregate().unique())
                .isEqualTo(new AggregateSpec.Unique(List.of("id"), Duration.ofSeconds(90), 7));
        assertThat(spec.decode().schema().has("id")).isTrue();
    }

    /** Several tasks would see the rows of one file in another order in each run. */
    @Test
    void shouldReadOneFileWithOneTask() throws Exception {
        assertThat(read("  measures: {c: count()}\n  unique: {by: [id, n]}\n").parallelism())
                .isEqualTo(1);
        assertThat(read("  measures: {c: count()}\n").parallelism()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "every: 1h | {by: id} | p.yaml:6:11 | 'unique' needs 'within' with windows",
                "early: 1h | {by: id, within: 1h} | p.yaml:6:28 | 'within' needs windows",
                "every: 1h | {by: id, within: 0s} | p.yaml:6:28 | 'within' must be longer than 0s",
                "every: 1h | {by: id, within: 1h, ids: 0} | p.yaml:6:37 | 'ids' must be from 1",
                "every: 1h | {by: idd, within: 1h} | p.yaml:6:16 | there is no field 'idd'; did you mean 'id'?",
                "every: 1h | {by: [id, id], within: 1h} | p.yaml:6:16 | 'by' has a field twice",
                "every: 1h | {within: 1h} | p.yaml:6:11 | 'by'",
                "every: 1h | {by: id, within: 1h, of: 2} | p.yaml:6 | 'of'"
            })
    void shouldRefuseAMistakeAndNameItsPlace(String windows, String unique, String place, String mistake) {
        assertThatThrownBy(() -> read("  measures: {c: count()}\n  " + windows + "\n  unique: " + unique + "\n"))
                .isInstanceOfSatisfying(
                        SpecException.class,
                        e -> assertThat(e.mistakes().toString()).contains(mistake))
                .hasMessageContaining(place);
    }
}
