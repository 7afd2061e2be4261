package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowTest {

    @TempDir
    private Path directory;

    private static Row row(Program program, Side storm, Side updraft) throws IOException {
        return Row.of(program, storm.observed(), updraft.observed());
    }

    private Side ran() {
        return Side.ran(directory);
    }

    private Side died() {
        return Side.empty(directory).ended("ended with status 1").printed("INFO fine", "Caused by: no way");
    }

    @Test
    void shouldTellWhatBothDid() throws IOException {
        Row row = row(Programs.plain(), ran().saw("acked\tlines\tdefault\t7"), ran().saw("acked\tlines\tdefault\t9"));
        assertThat(row.verdict()).isEqualTo(Row.Verdict.SAME);
        assertThat(row.markdown()).isEqualTo("| Words | 100 emitted, 7 acked | 100 emitted, 9 acked | yes |");
    }

    @Test
    void shouldTellWhatDiffersAndWhatTheListSays() throws IOException {
        Side updraft = ran().saw("failed\tlines\tdefault\t3").saw("error\twords\tjava.io.IOException: x\t2");
        Row row = row(Programs.noted("a note"), ran(), updraft);
        assertThat(row.verdict()).isEqualTo(Row.Verdict.DIFFERENT);
        assertThat(row.markdown())
                .isEqualTo("| Words | 100 emitted | 100 emitted, 3 failed, 2 errors | **no**: streams failed on Updraft"
                        + " only: lines default; errors on Updraft only: words java.io.IOException. a note |");
    }

    @Test
    void shouldTellWhyAProgramDidNotStart() throws IOException {
        Row row = row(Programs.plain(), ran(), died());
        assertThat(row.verdict()).isEqualTo(Row.Verdict.DIFFERENT);
        assertThat(row.updraft()).isEqualTo("ended with status 1: Caused by: no way");
    }

    @Test
    void shouldNotBlameUpdraftForWhatDoesNotWorkOnStorm() throws IOException {
        Row neither = row(Programs.plain(), died(), died());
        assertThat(neither.verdict()).isEqualTo(Row.Verdict.NOT_ON_STORM);
        assertThat(neither.markdown()).endsWith("| not on Storm either |");
        Row here = row(Programs.plain(), died(), ran());
        assertThat(here.verdict()).isEqualTo(Row.Verdict.ONLY_HERE);
        assertThat(here.markdown()).endsWith("| 100 emitted | only here |");
    }

    @Test
    void shouldNotTakeForWorkingWhatEndsWithAnErrorAfterItRan() throws IOException {
        Row row = row(Programs.plain(), ran().ended("ended with status 20").printed("Worker Error: died"), ran());
        assertThat(row.verdict()).isEqualTo(Row.Verdict.ONLY_HERE);
        assertThat(row.storm()).isEqualTo("100 emitted; ended with status 20: Worker Error: died");
    }

    @Test
    void shouldTakeForWorkingWhatEndsByItself() throws IOException {
        Side storm = ran().ended("ended with status 0");
        assertThat(row(Programs.plain(), storm, ran()).verdict()).isEqualTo(Row.Verdict.DIFFERENT);
        assertThat(row(Programs.plain(), storm, ran().ended("ended with status 0"))
                        .verdict())
                .isEqualTo(Row.Verdict.SAME);
    }

    @Test
    void shouldJudgeAProgramWithoutATopologyByWhatItPrints() throws IOException {
        Program program = Programs.bothPrinting("^done");
        Side storm = Side.empty(directory).ended("ended with status 0").printed("done");
        Side silent = Side.empty(directory).ended("ended with status 0");
        assertThat(row(program, storm, storm).verdict()).isEqualTo(Row.Verdict.SAME);
        assertThat(row(program, storm, silent).verdict()).isEqualTo(Row.Verdict.DIFFERENT);
        assertThat(row(program, silent, silent).verdict()).isEqualTo(Row.Verdict.NOT_ON_STORM);
    }

    @Test
    void shouldSayWhatAProgramThatWasNotRunNeeds() {
        assertThat(Row.notRun(Programs.without("HDFS")).markdown())
                .isEqualTo("| Words | - | - | not run: needs HDFS |");
    }

    @Test
    void shouldKeepTheTableATable() throws IOException {
        Row row = row(Programs.noted("a | b\n" + "x".repeat(400)), ran(), ran());
        assertThat(row.markdown())
                .contains("yes: a \\| b xxx")
                .endsWith("x... |")
                .doesNotContain("\n");
        assertThat(row.markdown().length()).isLessThan(400);
    }
}
