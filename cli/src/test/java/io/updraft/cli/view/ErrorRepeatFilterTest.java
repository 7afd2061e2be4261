package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.view.NewErrorLines.ErrorRepeatFilter;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.view.ErrorLine;
import io.updraft.observe.view.Snapshots;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorRepeatFilterTest {
    private final ErrorRepeatFilter errors = new ErrorRepeatFilter();

    @Test
    void shouldTellAnErrorOnceHoweverOftenItIsSeen() {
        List<ErrorReport> recent = List.of(Snapshots.error(0));
        assertThat(errors.among(recent)).hasSize(1);
        assertThat(errors.among(recent)).isEmpty();
    }

    @Test
    void shouldTellARepeatedErrorOnceAMinute() {
        assertThat(errors.among(List.of(Snapshots.error(0)))).hasSize(1);
        assertThat(errors.among(List.of(Snapshots.error(59_999)))).isEmpty();
        assertThat(errors.among(List.of(Snapshots.error(60_000)))).hasSize(1);
    }

    @Test
    void shouldWriteAnErrorOnOneLine() {
        assertThat(ErrorLine.of(Snapshots.error(45_000), ZoneOffset.UTC))
                .isEqualTo("00:00:45 split[3] execute: NumberFormatException: For input string: \"x\" in line 7"
                        + " (tuple failed, instance rebuilt)");
    }
}
