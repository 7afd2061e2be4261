package io.updraft.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.testing.contract.Violation.Rule;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ComponentContractTest {
    /** For calls that return, on a slow machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @AfterAll
    static void letThreadsGo() {
        FaultyBolts.Threading.END.countDown();
    }

    @Test
    void shouldFindNothingWrongWithGoodComponents() {
        of(new FaultyBolts.Upper()).check().assertClean();
        of(new FaultyBolts.Batching()).check().assertClean();
        of(new FaultySpouts.Numbers()).replaying().check().assertClean();
    }

    @Test
    void shouldFindABoltThatDoesNotExpectTicks() {
        shouldBreak(
                new FaultyBolts.BlindToTicks(),
                Rule.THROWS_NOTHING,
                "execute of a tick threw java.lang.ClassCastException");
    }

    @Test
    void shouldFindATupleThatIsNeverAcked() {
        shouldBreak(new FaultyBolts.Forgetful(), Rule.ENDS_EVERY_TUPLE, "the tuple [] is neither acked nor failed");
    }

    @Test
    void shouldLetABoltHoldTuplesThatSaysSo() {
        of(new FaultyBolts.Forgetful()).holdingTuples().check().assertClean();
    }

    @Test
    void shouldFindATupleThatIsAckedTwice() {
        shouldBreak(
                new FaultyBolts.AckingTwice(),
                Rule.ENDS_A_TUPLE_ONCE,
                "the tuple [a] is acked, but it was acked before");
    }

    @Test
    void shouldFindAnAnchorThatIsAckedAlready() {
        shouldBreak(
                new FaultyBolts.AckingFirst(),
                Rule.ANCHORS_TO_LIVING_TUPLES,
                "anchored to [a], which was acked before");
    }

    @Test
    void shouldFindStreamsAndFieldsThatAreNotDeclared() {
        shouldBreak(
                new FaultyBolts.Undeclared(), Rule.EMITS_WHAT_IT_DECLARES, "on stream 'side', which is not declared");
        shouldBreak(new FaultyBolts.Undeclared(), Rule.EMITS_WHAT_IT_DECLARES, "a tuple of 2 values");
    }

    @Test
    void shouldFindAValueThatIsChangedAfterItWasEmitted() {
        shouldBreak(new FaultyBolts.Changing(), Rule.LEAVES_EMITTED_VALUES_ALONE, "was changed after it was emitted");
    }

    @Test
    void shouldFindABoltThatChangesItsInput() {
        shouldBreak(new FaultyBolts.ChangingInput(), Rule.LEAVES_INPUT_ALONE, "execute of [a] changes the values");
    }

    @Test
    void shouldFindAValueThatDoesNotReachAnotherWorker() {
        shouldBreak(new FaultyBolts.Unserializable(), Rule.SERIALIZABLE_VALUES, "cannot be serialized");
    }

    @Test
    void shouldFindAComponentThatCannotBeSubmitted() {
        shouldBreak(new FaultyBolts.NotSerializable(), Rule.SERIALIZABLE_COMPONENT, "Secret");
    }

    @Test
    void shouldFindACallThatDoesNotReturnAndSayWhereItIs() {
        ContractReport report =
                of(new FaultyBolts.Stuck()).withLimit(Duration.ofMillis(200)).check();
        assertThat(report.violations())
                .anyMatch(each -> each.rule() == Rule.RETURNS && each.message().contains("Bolts$Stuck.word"));
    }

    @Test
    void shouldFindACleanupThatCannotBeRepeated() {
        ContractReport report = shouldBreak(new FaultyBolts.ClosingTwice(), Rule.THROWS_NOTHING, "cleanup threw");
        assertThat(report.violations())
                .singleElement()
                .extracting(Violation::during)
                .isEqualTo("closed twice");
    }

    @Test
    void shouldFindAThreadThatIsLeftBehind() {
        shouldBreak(new FaultyBolts.Threading(), Rule.LEAVES_NO_THREADS, "left behind");
    }

    @Test
    void shouldFindASpoutThatDoesNotReplay() {
        shouldBreak(new FaultySpouts.Forgetful(), Rule.REPLAYS_WHAT_FAILED, "failed and was not emitted again");
        of(new FaultySpouts.Forgetful()).check().assertClean();
    }

    @Test
    void shouldFindASpoutThatAnAckTooManyKills() {
        shouldBreak(new FaultySpouts.Strict(), Rule.THROWS_NOTHING, "ack threw java.lang.NullPointerException");
    }

    @Test
    void shouldFindTwoMessagesWithOneId() {
        shouldBreak(
                of(new FaultySpouts.SameId()).check(),
                Rule.DISTINCT_MESSAGE_IDS,
                "two messages are pending with the id id");
    }

    @Test
    void shouldFindASpoutThatEmitsWithoutEnd() {
        shouldBreak(new FaultySpouts.Endless(), Rule.EMITS_LITTLE_AT_ONCE, "one call of nextTuple emits");
    }

    @Test
    void shouldFindASpoutThatEmitsBeforeItIsActive() {
        shouldBreak(
                new FaultySpouts.Restless(), Rule.RESTS_WHEN_INACTIVE, "was emitted while the spout was not active");
    }

    @Test
    void shouldSayAllThatIsWrongInOneError() {
        assertThatThrownBy(() ->
                        of(new FaultyBolts.Undeclared()).withSeed(7).check().assertClean())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Undeclared")
                .hasMessageContaining("seed 7")
                .hasMessageContaining("EMITS_WHAT_IT_DECLARES (tuples in order, then ticks): ");
    }

    private static ComponentContract of(IRichBolt bolt) {
        return ComponentContract.of(bolt)
                .withLimit(PATIENCE)
                .withInput("words", new Fields("word"), new Values("a"), new Values("b"), new Values(""));
    }

    private static ComponentContract of(IRichSpout spout) {
        return ComponentContract.of(spout).withLimit(PATIENCE);
    }

    private static ContractReport shouldBreak(IRichBolt bolt, Rule rule, String message) {
        return shouldBreak(of(bolt).check(), rule, message);
    }

    private static ContractReport shouldBreak(IRichSpout spout, Rule rule, String message) {
        return shouldBreak(of(spout).replaying().check(), rule, message);
    }

    private static ContractReport shouldBreak(ContractReport report, Rule rule, String message) {
        Set<Rule> broken = report.violations().stream().map(Violation::rule).collect(Collectors.toSet());
        assertThat(broken).as(report::toString).containsExactly(rule);
        assertThat(report.violations()).anyMatch(each -> each.message().contains(message));
        return report;
    }
}
