package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

    private final AtomicLong seconds = new AtomicLong();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    @Test
    void shouldTellTheRateSinceTheLineBefore() {
        ProgressView view = new ProgressView(
                "p",
                false,
                false,
                new PrintStream(text, true, StandardCharsets.UTF_8),
                () -> seconds.get() * 1_000_000_000L);
        show(view, 9, 9_000);
        show(view, 10, 10_000);
        show(view, 15, 10_000);
        show(view, 20, 10_000);
        show(view, 30, 15_000);
        assertThat(text.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "p 00:00:10 10.0k records, 1.00k/s, 0 windows written",
                        "p 00:00:20 10.0k records, 0/s, 0 windows written",
                        "p 00:00:30 15.0k records, 500/s, 0 windows written");
    }

    private void show(ProgressView view, long at, long records) {
        seconds.set(at);
        view.show(new PipelineProgress(records, records, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, List.of()));
    }
}
