package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BehaviourComparisonTest {

    @TempDir
    private Path directory;

    private List<String> differences(ComparedProgram program, FakeSide storm, FakeSide updraft) throws IOException {
        return BehaviourComparison.differences(program, storm.observed(), updraft.observed());
    }

    private List<String> differences(FakeSide storm, FakeSide updraft) throws IOException {
        return differences(SamplePrograms.plain(), storm, updraft);
    }

    private FakeSide ran() {
        return FakeSide.ran(directory);
    }

    @Test
    void shouldFindNoDifferenceInHowManyTuplesThereWere() throws IOException {
        FakeSide faster = ran().notSaw("emitted").saw("emitted\tlines\tdefault\t123456789");
        assertThat(differences(ran(), faster)).isEmpty();
    }

    @Test
    void shouldNameComponentsWithOtherExecutorsOrTasks() throws IOException {
        FakeSide other =
                ran().notSaw("executors\twords").saw("executors\twords\t3").saw("tasks\tmore\t1");
        assertThat(differences(ran(), other))
                .containsExactly("executors: Storm {words=2}, Updraft {words=3}", "tasks: Storm {}, Updraft {more=1}");
    }

    @Test
    void shouldCompareStreamByStream() throws IOException {
        FakeSide storm = ran().saw("emitted\twords\tlate\t1").saw("emitted\twords\tdefault\t9");
        FakeSide updraft = ran().saw("emitted\twords\tdefault\t9").saw("emitted\twords\terror\t2");
        assertThat(differences(storm, updraft))
                .containsExactly(
                        "streams emitted to on Storm only: words late",
                        "streams emitted to on Updraft only: words error");
    }

    @Test
    void shouldCompareByComponentWhereOneSideCountsStreamsTogether() throws IOException {
        FakeSide storm = ran().saw("emitted\twords\tlate\t1")
                .saw("emitted\twords\tdefault\t9")
                .saw("executed\tjoin\tlines:default\t4")
                .saw("executed\tjoin\twords:late\t4")
                .saw("acked\tlines\tdefault\t4")
                .saw("acked\tlines\tother\t4");
        FakeSide updraft =
                ran().saw("emitted\twords\t*\t10").saw("executed\tjoin\t*:*\t8").saw("acked\tlines\t*\t8");
        assertThat(differences(storm, updraft)).isEmpty();
        assertThat(differences(ran(), updraft))
                .containsExactly(
                        "streams emitted to on Updraft only: words",
                        "streams executed on Updraft only: join",
                        "streams acked on Updraft only: lines");
    }

    @Test
    void shouldSeeThatABoltGotNothingFromOneOfItsSources() throws IOException {
        FakeSide storm = ran().saw("executed\tjoin\tlines:default\t4").saw("executed\tjoin\twords:default\t4");
        FakeSide updraft = ran().saw("executed\tjoin\tlines:default\t4").saw("executed\tjoin\twords:default\t0");
        assertThat(differences(storm, updraft)).containsExactly("streams executed on Storm only: join words:default");
    }

    @Test
    void shouldLeaveOutWhatBelongsToTheSystem() throws IOException {
        FakeSide storm = ran().saw("executors\t__acker\t1")
                .saw("emitted\tlines\t__ack_init\t100")
                .saw("executed\twords\t__system:__tick\t3");
        assertThat(differences(storm, ran())).isEmpty();
    }

    @Test
    void shouldCompareWhatWasAckedAndFailed() throws IOException {
        FakeSide storm = ran().saw("acked\tlines\tdefault\t5").saw("failed\tlines\tdefault\t0");
        FakeSide updraft = ran().saw("failed\tlines\tdefault\t1");
        assertThat(differences(storm, updraft))
                .containsExactly(
                        "streams acked on Storm only: lines default", "streams failed on Updraft only: lines default");
    }

    @Test
    void shouldNotCompareWhatFailedOfAProgramThatOverloadsEither() throws IOException {
        FakeSide updraft = ran().saw("failed\tlines\tdefault\t1");
        assertThat(differences(SamplePrograms.overloaded(), ran(), updraft)).isEmpty();
    }

    @Test
    void shouldCompareTheClassOfAnErrorAndNotItsMessage() throws IOException {
        FakeSide storm = ran().saw("error\twords\tjava.lang.RuntimeException: at 12:00 in worker 6700\t1");
        FakeSide updraft = ran().saw("error\twords\tjava.lang.RuntimeException: at 13:00\t3");
        FakeSide other = ran().saw("error\twords\tjava.io.IOException: at 13:00\t3");
        assertThat(differences(storm, updraft)).isEmpty();
        assertThat(differences(storm, other))
                .containsExactly(
                        "errors on Storm only: words java.lang.RuntimeException",
                        "errors on Updraft only: words java.io.IOException");
    }

    @Test
    void shouldCompareHowItEnded() throws IOException {
        assertThat(differences(ran(), ran().ended("ended with status 1")))
                .containsExactly("on Storm it was stopped, on Updraft it ended with status 1");
        assertThat(differences(ran(), FakeSide.empty(directory))).contains("no topology on Updraft");
        assertThat(differences(FakeSide.empty(directory), ran())).contains("no topology on Storm");
    }

    @Test
    void shouldCompareAsASetWhatAPatternFinds() throws IOException {
        ComparedProgram program = SamplePrograms.printingTheSame("^answer: (\\d+)");
        FakeSide storm = ran().printed("answer: 1 (of 3)", "answer: 2", "INFO answer: 9");
        assertThat(differences(program, storm, ran().printed("answer: 2", "answer: 1", "answer: 1")))
                .isEmpty();
        assertThat(differences(program, storm, ran().printed("answer: 2", "answer: 3")))
                .containsExactly("output on Storm only: 1", "output on Updraft only: 3");
    }

    @Test
    void shouldSayWhenNothingWasPrintedThatCouldBeTheSame() throws IOException {
        assertThat(differences(SamplePrograms.printingTheSame("^answer"), ran(), ran()))
                .containsExactly("Storm printed nothing like '^answer'");
        assertThat(differences(SamplePrograms.bothPrinting("^sum \\d"), ran().printed("sum 1"), ran().printed("sum -")))
                .containsExactly("Updraft printed nothing like '^sum \\d'");
        assertThat(differences(SamplePrograms.bothPrinting("^sum \\d"), ran().printed("sum 1"), ran().printed("sum 2")))
                .isEmpty();
    }

    @Test
    void shouldShowSomeOfManyNames() throws IOException {
        FakeSide storm = ran();
        for (int i = 1; i <= 6; i++) {
            storm.saw("emitted\twords\ts" + i + "\t1");
        }
        assertThat(differences(storm, ran()))
                .containsExactly("streams emitted to on Storm only: words s1, words s2, words s3, words s4 and 2 more");
    }
}
