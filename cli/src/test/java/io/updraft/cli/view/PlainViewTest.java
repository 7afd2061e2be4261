package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.view.Snapshots;
import io.updraft.observe.view.TopologySample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainViewTest {

    @Test
    void shouldSayTheStateOfAJamInOneLine() {
        assertThat(PlainView.line(
                        new TopologySample("wordcount", "running", Snapshots.atStart(), Snapshots.jammed(), List.of())))
                .isEqualTo("00:00:11 wordcount running: emitted 1.20M/s, acked 1.20M/s, in flight 4.10k, p99 9.0ms,"
                        + " bottleneck count, back-pressured lines->split split->count");
    }

    @Test
    void shouldNameACallThatDoesNotReturnOnce() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PlainView view = new PlainView(new PrintStream(bytes, true, StandardCharsets.UTF_8), true, ZoneOffset.UTC);
        TopologySample sample =
                new TopologySample("wordcount", "running", Snapshots.atStart(), Snapshots.troubled(), List.of());
        view.show(List.of(sample));
        view.show(List.of(sample));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("stuck: ")))
                .containsExactly("stuck: count task 3 in execute() for 1m45s at Count.java:17, waiting for"
                        + " java.lang.Object@1b2c held by 'main'");
    }

    @Test
    void shouldShoutFailures() {
        assertThat(PlainView.line(new TopologySample(
                        "wordcount", "draining", Snapshots.atStart(), Snapshots.troubled(), List.of())))
                .isEqualTo("00:00:11 wordcount draining: emitted 1.00k/s, acked 980/s, FAILED 13/s, in flight 70, p99"
                        + " 30s, TIMED OUT since the start: lines 70; tuples may be in split (12 queued, calls"
                        + " block)");
    }

    @Test
    void shouldShowHiddenCharactersOfNamesAsText() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PlainView view = new PlainView(new PrintStream(bytes, true, StandardCharsets.UTF_8), false, ZoneOffset.UTC);
        view.show(List.of(new TopologySample(
                "word\u202ecount\n", "running", Snapshots.atStart(), Snapshots.jammed(), List.of())));
        view.print("worker 0 of 'a\u001b[2Jb' ended");
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.startsWith("00:00:11 word\\u202ecount\\n running: "))
                .contains("worker 0 of 'a\\u001b[2Jb' ended");
    }
}
