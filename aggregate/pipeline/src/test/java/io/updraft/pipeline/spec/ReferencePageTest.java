package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The descriptions in docs/aggregate.md must be valid. */
class ReferencePageTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");
    private static final Pattern INPUT =
            Pattern.compile("flights\\.csv|sales\\.csv|clicks\\.json|trips\\.json|today\\.json|logs/\\*\\.json\\.gz");

    @TempDir
    Path directory;

    @TestFactory
    Stream<DynamicTest> shouldUnderstandEachExample() throws IOException {
        Path page = Path.of("../../docs/aggregate.md");
        Files.writeString(
                directory.resolve("flights.csv"),
                "time_hour,carrier,origin,dep_delay\n2013-01-01T05:00:00Z,UA,EWR,2\n2013-01-01T06:00:00Z,AA,JFK,NA\n");
        Files.writeString(
                directory.resolve("sales.csv"),
                "at,shop,product,customer,price,pieces\n2026-01-01T05:00:00Z,Linz,tea,17,2.5,3\n");
        Files.writeString(
                directory.resolve("trips.json"),
                "{\"start\":\"2013-01-01 05:00\",\"carrier\":\"UA\",\"legs\":[{\"delay\":3}]}\n");
        Files.writeString(directory.resolve("today.json"), "{}\n");
        Files.writeString(
                directory.resolve("clicks.json"),
                "{\"at\":\"2026-01-01T05:00:00Z\",\"agent\":\"Mobile\",\"url\":\"/shop/1\",\"status\":200,\"amount\":\"1,50\"}\n");
        List<String> blocks = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(Files.readString(page)); block.find(); ) {
            blocks.add(block.group(1));
        }
        assertThat(blocks).hasSizeGreaterThan(6);
        return blocks.stream()
                .map(block -> DynamicTest.dynamicTest(block.lines().findFirst().orElse(""), () -> check(block)));
    }

    // The pages' files are elsewhere here.
    private void check(String block) throws SpecException {
        String text = INPUT.matcher(block).replaceAll(file -> Matcher.quoteReplacement(directory + "/" + file.group()));
        PipelineSpec spec = new SpecReader(Map.of()).read("docs/aggregate.md", text, "example");
        PipelineSpec again =
                new SpecReader(Map.of()).read("again", SpecWriter.write(spec).replace("'***'", "again"), "example");
        assertThat(again.aggregate()).isEqualTo(spec.aggregate());
        assertThat(again.route()).isEqualTo(spec.route());
    }
}
