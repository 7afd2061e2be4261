package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompatRowTest {

    @TempDir
    private Path directory;

    private static CompatRow row(ComparedProgram program, FakeSide storm, FakeSide updraft) throws IOException {
        return CompatRow.of(program, storm.observed(), updraft.observed());
    }

    private FakeSide ran() {
        return FakeSide.ran(directory);
    }

    private FakeSide died() {
        return FakeSide.empty(directory).ended("ended with status 1").printed("INFO fine", "Caused by: no way");
    }

    @Test
    void shouldTellWhatBothDid() throws IOException {
        CompatRow row = row(
                SamplePrograms.plain(), ran().saw("acked\tlines\tdefault\t7"), ran().saw("acked\tlines\tdefault\t9"));
        assertThat(row.verdict()).isEqualTo(CompatRow.Verdict.SAME);
        assertThat(row.markdown()).isEqualTo("| Words | 100 emitted, 7 acked | 100 emitted, 9 acked | yes |");
    }

    @Test
    void shouldTellWhatDiffersAndWhatTheListSays() throws IOException {
        FakeSide updraft = ran().saw("failed\tlines\tdefault\t3").saw("error\twords\tjava.io.IOException: x\t2");
        CompatRow row = row(SamplePrograms.noted("a note"), ran(), updraft);
        assertThat(row.verdict()).isEqualTo(CompatRow.Verdict.DIFFERENT);
        assertThat(row.markdown())
                .isEqualTo("| Words | 100 emitted | 100 emitted, 3 failed, 2 errors | **no**: streams failed on Updraft"
                        + " only: lines default; errors on Updraft only: words java.io.IOException. a note |");
    }

    @Test
    void shouldTellWhyAProgramDidNotStart() throws IOException {
        CompatRow row = row(SamplePrograms.plain(), ran(), died());
        assertThat(row.verdict()).isEqualTo(CompatRow.Verdict.DIFFERENT);
        assertThat(row.updraft()).isEqualTo("ended with status 1: Caused by: no way");
    }

    @Test
    void shouldNotBlameUpdraftForWhatDoesNotWorkOnStorm() throws IOException {
        CompatRow neither = row(SamplePrograms.plain(), died(), died());
        assertThat(neither.verdict()).isEqualTo(CompatRow.Verdict.NOT_ON_STORM);
        assertThat(neither.markdown()).endsWith("| not on Storm either |");
        CompatRow here = row(SamplePrograms.plain(), died(), ran());
        assertThat(here.verdict()).isEqualTo(CompatRow.Verdict.ONLY_HERE);
        assertThat(here.markdown()).endsWith("| 100 emitted | only here |");
    }

    @Test
    void shouldNotTakeForWorkingWhatEndsWithAnErrorAfterItRan() throws IOException {
        CompatRow row =
                row(SamplePrograms.plain(), ran().ended("ended with status 20").printed("Worker Error: died"), ran());
        assertThat(row.verdict()).isEqualTo(CompatRow.Verdict.ONLY_HERE);
        assertThat(row.storm()).isEqualTo("100 emitted; ended with status 20: Worker Error: died");
    }

    @Test
    void shouldTakeForWorkingWhatEndsByItself() throws IOException {
        FakeSide storm = ran().ended("ended with status 0");
        assertThat(row(SamplePrograms.plain(), storm, ran()).verdict()).isEqualTo(CompatRow.Verdict.DIFFERENT);
        assertThat(row(SamplePrograms.plain(), storm, ran().ended("ended with status 0"))
                        .verdict())
                .isEqualTo(CompatRow.Verdict.SAME);
    }

    @Test
    void shouldJudgeAProgramWithoutATopologyByWhatItPrints() throws IOException {
        ComparedProgram program = SamplePrograms.bothPrinting("^done");
        FakeSide storm = FakeSide.empty(directory).ended("ended with status 0").printed("done");
        FakeSide silent = FakeSide.empty(directory).ended("ended with status 0");
        assertThat(row(program, storm, storm).verdict()).isEqualTo(CompatRow.Verdict.SAME);
        assertThat(row(program, storm, silent).verdict()).isEqualTo(CompatRow.Verdict.DIFFERENT);
        assertThat(row(program, silent, silent).verdict()).isEqualTo(CompatRow.Verdict.NOT_ON_STORM);
    }

    @Test
    void shouldSayWhatAProgramThatWasNotRunNeeds() {
        assertThat(CompatRow.notRun(SamplePrograms.without("HDFS")).markdown())
                .isEqualTo("| Words | - | - | not run: needs HDFS |");
    }

    @Test
    void shouldKeepTheTableATable() throws IOException {
        CompatRow row = row(SamplePrograms.noted("a | b\n" + "x".repeat(400)), ran(), ran());
        assertThat(row.markdown())
                .contains("yes: a \\| b xxx")
                .endsWith("x... |")
                .doesNotContain("\n");
        assertThat(row.markdown().length()).isLessThan(400);
    }
}
