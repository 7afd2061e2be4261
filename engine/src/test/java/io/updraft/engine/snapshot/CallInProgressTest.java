package io.updraft.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallInProgressTest {

    private static CallInProgress call(long seconds, boolean deadlocked, String... stack) {
        return new CallInProgress(
                "parse", 3, "execute", seconds * 1_000_000_000, "t", "sleeping", deadlocked, List.of(stack));
    }

    @Test
    void shouldNameTheInnermostPlaceInCodeOfTheUser() {
        CallInProgress call = call(
                5,
                false,
                "java.base@17.0.1/java.lang.Thread.sleep(Native Method)",
                "jdk.internal.Foo.x(Foo.java:1)",
                "app//example.Parse.lookUp(Parse.java:17)",
                "example.Parse.execute(Parse.java:9)");
        assertThat(call.describe()).isEqualTo("parse task 3 in execute() for 5s at Parse.java:17, sleeping");
    }

    @Test
    void shouldSayThatThereIsADeadlock() {
        assertThat(call(5, true, "example.Parse.execute(Parse.java:9)").describe())
                .isEqualTo("parse task 3 in execute() for 5s at Parse.java:9, DEADLOCK: sleeping");
    }

    @Test
    void shouldNameTheLineOfTheUserThatWaitsInTheEngine() {
        assertThat(call(
                                5,
                                false,
                                "java.base@17.0.1/java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:376)",
                                "io.updraft.engine.run.LoopThreads.pause(LoopThreads.java:212)",
                                "io.updraft.engine.run.LoopConnection.ship(LoopConnection.java:114)",
                                "io.updraft.engine.run.BoltCollector.emit(BoltCollector.java:100)",
                                "app//org.apache.storm.topology.BasicOutputCollector.emit(BasicOutputCollector.java:50)",
                                "updraft-program//Sick.execute(Sick.java:24)",
                                "org.apache.storm.topology.BasicBoltExecutor.execute(BasicBoltExecutor.java:48)",
                                "io.updraft.engine.run.BoltExecutor.execute(BoltExecutor.java:90)")
                        .place())
                .isEqualTo("Sick.java:24");
    }

    @Test
    void shouldNameTheLineOfTheUserInStepsOfStorm() {
        assertThat(call(
                                5,
                                false,
                                "io.updraft.engine.run.BoltCollector.emit(BoltCollector.java:100)",
                                "org.apache.storm.trident.planner.processor.AppendCollector.emit(AppendCollector.java:50)",
                                "io.updraft.storm.component.EachStep.emit(EachStep.java:40)",
                                "com.acme.Split.execute(Split.java:9)",
                                "io.updraft.storm.component.TridentBolt.execute(TridentBolt.java:99)")
                        .place())
                .isEqualTo("Split.java:9");
    }

    @Test
    void shouldNameTheLineOfAComponentOfStormOrUpdraft() {
        assertThat(call(
                                5,
                                false,
                                "io.updraft.engine.run.SpoutCollector.emit(SpoutCollector.java:100)",
                                "org.apache.storm.spout.SpoutOutputCollector.emit(SpoutOutputCollector.java:50)",
                                "org.apache.storm.kafka.spout.KafkaSpout.emitOrRetryTuple(KafkaSpout.java:510)",
                                "io.updraft.engine.run.SpoutExecutor.poll(SpoutExecutor.java:90)")
                        .place())
                .isEqualTo("KafkaSpout.java:510");
        assertThat(call(
                                5,
                                false,
                                "io.updraft.engine.run.SpoutCollector.emit(SpoutCollector.java:100)",
                                "io.updraft.kafka.spout.PartitionSpout.nextTuple(PartitionSpout.java:50)",
                                "io.updraft.engine.run.SpoutExecutor.poll(SpoutExecutor.java:90)")
                        .place())
                .isEqualTo("PartitionSpout.java:50");
    }

    @Test
    void shouldDoWithoutAStack() {
        assertThat(call(5, false).describe()).isEqualTo("parse task 3 in execute() for 5s, sleeping");
        assertThat(call(5, false, "java.base/java.lang.Thread.run(Thread.java:1)")
                        .place())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "execute, 1, false, false", "execute, 2, false, true", "nextTuple, 2, false, true", "cleanup, 2, false, true",
        "prepare, 29, false, false", "prepare, 30, false, true", "open, 29, false, false", "activate, 29, false, false",
        "prepare, 2, true, true", "prepare, 1, true, false"
    })
    void shouldJudgeTheTimeByTheMethod(String method, long seconds, boolean deadlocked, boolean stuck) {
        CallInProgress call =
                new CallInProgress("c", 1, method, seconds * 1_000_000_000, "t", "sleeping", deadlocked, List.of());
        assertThat(call.isStuck()).isEqualTo(stuck);
    }

    @ParameterizedTest
    @CsvSource({"59, 59s", "60, 1m00s", "105, 1m45s", "3599, 59m59s", "3600, 1h00m", "90061, 25h01m"})
    void shouldShowTheTime(long seconds, String text) {
        assertThat(call(seconds, false).describe()).contains(" for " + text + ", ");
    }
}
