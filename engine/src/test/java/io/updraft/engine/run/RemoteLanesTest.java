package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestTopology;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

/** One worker and its gateway: the plan assigns the bolt to worker 0 and the spout to worker 1. */
class RemoteLanesTest {

    private static final Origin SOMEWHERE = Origin.of("somebody", "default", 0, new Fields(), null);
    private static final int BOLT = 0;
    private static final int SPOUT = 1;

    /** The bolt's only task. */
    private static final int TASK = 1;

    /** More rounds than anything here needs. */
    private static final int ROUNDS = 300;

    private final TestTopology topology = new TestTopology();

    private SingleWorker worker(int number, int incarnation, int loops) {
        SingleWorker worker = new SingleWorker(topology.createTopology(), 2, number, incarnation, loops);
        worker.lifecycle().activate();
        return worker;
    }

    private SingleWorker spoutOf(Feed feed, int incarnation) {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("bolt", TestBolt.ack()).shuffleGrouping("spout");
        return worker(SPOUT, incarnation, 1);
    }

    private static SingleWorker joined(SingleWorker worker, int peer) {
        worker.remote().peerJoined(peer);
        worker.run(ROUNDS);
        return worker;
    }

    private static List<EngineTuple> pollAll(SingleWorker worker, int peer) {
        List<EngineTuple> tuples = new ArrayList<>();
        Batch batch;
        while ((batch = worker.remote().poll(peer)) != null) {
            for (int i = 0; i < batch.tupleCount(); i++) {
                tuples.add(batch.tuple(i));
            }
        }
        return tuples;
    }

    private static Batch acks(EngineTuple tuple) {
        Batch batch = new Batch();
        batch.addReport(Batch.ACK, tuple.owner(), tuple.root(), tuple.pending());
        return batch;
    }

    // ------------------------------------------------------------------------------------------------------ batches

    @Test
    void shouldSendTuplesToTheWorkerThatRunsTheirTask() {
        SingleWorker worker = joined(spoutOf(Feed.of(3), 1), BOLT);

        Batch batch = worker.remote().poll(BOLT);

        assertThat(batch.target(0)).isEqualTo(TASK);
        assertThat(batch.tuple(0).getValue(0)).isEqualTo(0L);
        assertThat(worker.remote().tuplesSent()).isEqualTo(batch.tupleCount());
    }

    @Test
    void shouldAckTheMessageWhenTheAckComesFromAnotherWorker() {
        Feed feed = Feed.of(3);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);
        EngineTuple second = pollAll(worker, BOLT).get(1);

        assertThat(worker.remote().deliver(acks(second))).isTrue();
        worker.run(ROUNDS);

        assertThat(feed.acked).containsExactly(1L);
    }

    @Test
    void shouldExecuteTuplesOfAnotherWorkerAndSendTheAcksBack() {
        Feed feed = Feed.of(3);
        SingleWorker spout = joined(spoutOf(feed, 1), BOLT);
        SingleWorker bolt = worker(BOLT, 1, 3);
        bolt.remote().peerJoined(SPOUT);

        bolt.remote().deliver(spout.remote().poll(BOLT));
        bolt.run(ROUNDS);
        Batch reply = bolt.remote().poll(SPOUT);

        // The first was timed until its ack, and is told of by itself.
        assertThat(reply.kind(1)).isEqualTo(Batch.ACK_ONLY_EDGE);
        assertThat(reply.value(1)).isEqualTo(2);
        spout.remote().deliver(reply);
        spout.run(ROUNDS);
        assertThat(feed.acked).containsExactlyInAnyOrder(0L, 1L, 2L);
        assertThat(new SnapshotReader(bolt.assembly()).isIdle()).isTrue();
    }

    @Test
    void shouldTakeNothingWhenThereIsNoRoom() {
        spoutOf(Feed.of(3), 1);
        SingleWorker bolt = worker(BOLT, 1, 1);
        int taken = 0;
        while (taken < ROUNDS && bolt.remote().deliver(tupleFor(TASK))) {
            taken++;
        }
        assertThat(taken).isEqualTo(new SingleThreadRuntime().remoteRing());
        assertThat(bolt.remote().tuplesReceived()).isEqualTo(taken);

        bolt.run(1);

        assertThat(bolt.remote().deliver(tupleFor(TASK))).isTrue();
    }

    private static Batch tupleFor(int task) {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(SOMEWHERE, List.of()), task);
        return batch;
    }

    @Test
    void shouldRefuseWhatIsNotForThisWorkerOrMeansNothing() {
        SingleWorker worker = spoutOf(Feed.of(3), 1);
        int owner = worker.seatOf("spout").executor().plan().index();

        assertThatThrownBy(() -> worker.remote().deliver(tupleFor(TASK))).hasMessageContaining("task " + TASK);
        assertThatThrownBy(() -> worker.remote().deliver(tupleFor(99))).hasMessageContaining("task 99");
        assertThatThrownBy(() -> worker.remote().deliver(report(Batch.ACK, 0, 5, 1)))
                .hasMessageContaining("executor 0");
        assertThatThrownBy(() -> worker.remote().deliver(report(Batch.FAIL_ALL, owner, 5, 1)))
                .hasMessageContaining("kind");
        assertThatThrownBy(() -> worker.remote().deliver(report(Batch.ACK_ONLY_EDGE, owner, 5, Long.MAX_VALUE)))
                .hasMessageContaining("at once");
        assertThatThrownBy(() -> worker.remote().poll(SPOUT)).hasMessageContaining("not another worker");
    }

    private static Batch report(int kind, int owner, long root, long value) {
        Batch batch = new Batch();
        batch.addReport(kind, owner, root, value);
        return batch;
    }

    @Test
    void shouldWakeTheGatewayOnlyForWhatIsPutWhereNothingWas() {
        SingleWorker worker = joined(spoutOf(Feed.of(3000), 1), BOLT);
        int woken = worker.woken();
        assertThat(worker.remote().tuplesSent()).isZero();
        assertThat(worker.remote().hasOutgoing(BOLT)).isTrue();
        assertThat(woken).isEqualTo(1);
        assertThat(pollAll(worker, BOLT)).hasSize(3000);
        assertThat(worker.remote().hasOutgoing(BOLT)).isFalse();
    }

    @Test
    void shouldLetNoMoreWaitForAWorkerThanTheGatewaySays() {
        Feed feed = Feed.of(100_000);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);
        int usual = pollAll(worker, BOLT).size();

        worker.remote().setOutgoingRoom(BOLT, 1);
        worker.run(ROUNDS);
        pollAll(worker, BOLT);
        worker.run(ROUNDS);

        assertThat(worker.remote().poll(BOLT)).isNotNull();
        assertThat(worker.remote().hasOutgoing(BOLT)).isFalse();
        worker.remote().setOutgoingRoom(BOLT, Integer.MAX_VALUE);
        worker.run(ROUNDS);
        assertThat(pollAll(worker, BOLT)).hasSizeGreaterThan(usual / 2);
    }

    @Test
    void shouldTakeNoMoreBatchesThanTheGatewayLetsWait() {
        spoutOf(Feed.of(3), 1);
        SingleWorker bolt = worker(BOLT, 1, 1);
        bolt.remote().setIncomingRoom(2);

        assertThat(bolt.remote().deliver(tupleFor(TASK))).isTrue();
        assertThat(bolt.remote().deliver(tupleFor(TASK))).isTrue();
        assertThat(bolt.remote().deliver(tupleFor(TASK))).isFalse();

        bolt.remote().setIncomingRoom(0);
        bolt.run(1);
        assertThat(bolt.remote().deliver(tupleFor(TASK))).isTrue();
    }

    @Test
    void shouldCountOnlyWhatThisWorkerRuns() {
        SingleWorker worker = joined(spoutOf(Feed.of(3), 1), BOLT);

        List<ComponentSnapshot> components =
                new SnapshotReader(worker.assembly()).read().components();

        assertThat(components).extracting(ComponentSnapshot::id).containsExactly("bolt", "spout");
        assertThat(components).extracting(ComponentSnapshot::executors).containsExactly(0, 1);
        assertThat(components).extracting(ComponentSnapshot::tasks).containsExactly(0, 1);
        assertThat(components).extracting(ComponentSnapshot::emitted).containsExactly(0L, 3L);
    }

    @Test
    void shouldPreferTargetsInTheSameWorker() {
        Feed feed = Feed.of(20);
        topology.setSpout("spout", feed.spout());
        topology.setBolt("bolt", TestBolt.ack(), 2).localOrShuffleGrouping("spout");
        SingleWorker worker = joined(worker(0, 1, 1), 1);

        assertThat(feed.acked).hasSize(20);
        assertThat(worker.remote().poll(1)).isNull();
    }

    // ------------------------------------------------------------------------------------------------------ losses

    @Test
    void shouldFailWhatIsInFlightWhenAWorkerIsLost() {
        Feed feed = Feed.of(3);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);
        pollAll(worker, BOLT);

        assertThat(worker.remote().peerLost(BOLT)).isTrue();
        worker.run(1);

        assertThat(feed.failed).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldFailWhatIsInFlightWhenAnotherWorkerHasLostSomething() {
        Feed feed = Feed.of(1);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);

        assertThat(worker.remote().failInFlight()).isTrue();
        worker.run(1);

        assertThat(feed.failed).containsExactly(0L);
    }

    /** An edge may have been lost that a thread of the bolt's had made; an ack sent later must not complete the tree. */
    @Test
    void shouldNotCompleteATreeByAnAckThatComesAfterTheLoss() {
        Feed feed = Feed.of(1);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);
        EngineTuple tuple = pollAll(worker, BOLT).get(0);

        worker.remote().peerLost(BOLT);
        worker.remote().peerJoined(BOLT);
        worker.remote().deliver(acks(tuple));
        worker.run(ROUNDS);

        assertThat(feed.acked).isEmpty();
        assertThat(feed.failed).containsExactly(0L);
    }

    @Test
    void shouldStillAckWhatWasCompleteBeforeTheLoss() {
        Feed feed = Feed.of(3);
        SingleWorker worker = joined(spoutOf(feed, 1), BOLT);
        List<EngineTuple> tuples = pollAll(worker, BOLT);

        worker.remote()
                .deliver(report(
                        Batch.ACK_ONLY_EDGE,
                        tuples.get(0).owner(),
                        tuples.get(0).root(),
                        2));
        worker.remote().peerLost(BOLT);
        worker.run(ROUNDS);

        assertThat(feed.acked).containsExactly(0L, 1L);
        assertThat(feed.failed).containsExactly(2L);
    }

    @Test
    void shouldIgnoreAnAckForATreeOfTheProcessBefore() {
        EngineTuple before = pollAll(joined(spoutOf(Feed.of(1), 1), BOLT), BOLT).get(0);
        Feed feed = Feed.of(1);
        SingleWorker worker = joined(new SingleWorker(twoComponents(feed), 2, SPOUT, 2, 1), BOLT);
        worker.lifecycle().activate();
        worker.run(ROUNDS);
        EngineTuple now = pollAll(worker, BOLT).get(0);

        worker.remote().deliver(acks(before));
        worker.run(ROUNDS);
        assertThat(feed.acked).isEmpty();

        worker.remote().deliver(acks(now));
        worker.run(ROUNDS);
        assertThat(feed.acked).containsExactly(0L);
    }

    private static StormTopology twoComponents(Feed feed) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", feed.spout());
        builder.setBolt("bolt", TestBolt.ack()).shuffleGrouping("spout");
        return builder.createTopology();
    }

    @Test
    void shouldMakeOtherEdgesInEachIncarnation() {
        Set<Long> edges = new HashSet<>();
        for (int incarnation = 1; incarnation <= 3; incarnation++) {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("spout", Feed.of(10).spout());
            builder.setBolt("bolt", TestBolt.ack()).setNumTasks(2).allGrouping("spout");
            SingleWorker worker = new SingleWorker(builder.createTopology(), 2, SPOUT, incarnation, 1);
            worker.lifecycle().activate();
            pollAll(joined(worker, BOLT), BOLT).forEach(tuple -> edges.add(tuple.pending()));
        }
        assertThat(edges).hasSize(3 * 10 * 2);
    }

    // ---------------------------------------------------------------------------------------------- who is held back

    @Test
    void shouldHoldBackASpoutUntilTheWorkerItSendsToHasJoined() {
        Feed feed = Feed.of(3);
        SingleWorker worker = spoutOf(feed, 1);
        worker.run(ROUNDS);
        assertThat(feed.next).hasValue(0);

        joined(worker, BOLT);
        assertThat(feed.next).hasValue(3);

        worker.remote().peerLost(BOLT);
        feed.limit(6);
        worker.run(ROUNDS);
        assertThat(feed.next).hasValue(3);

        joined(worker, BOLT);
        assertThat(feed.next).hasValue(6);
    }

    /** Dealt out to three workers: a to 0, b to 1, s to 2, and after two that fill the gap t to 2. */
    @Test
    void shouldHoldBackOnlyWhoSendsToAWorkerThatTakesNothing() {
        Feed toA = Feed.endless();
        Feed toB = Feed.endless();
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("s");
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("t");
        topology.setSpout("s", toA.spout());
        topology.setSpout("sx", Feed.of(0).spout());
        topology.setSpout("sy", Feed.of(0).spout());
        topology.setSpout("t", toB.spout());
        SingleWorker worker = new SingleWorker(topology.createTopology(), 3, 2, 1, 1);
        worker.lifecycle().activate();
        worker.remote().peerJoined(0);
        worker.remote().peerJoined(1);
        for (int i = 0; i < ROUNDS; i++) {
            worker.run(1);
            pollAll(worker, 1);
        }
        long stopped = toA.next.get();
        long before = toB.next.get();
        for (int i = 0; i < ROUNDS; i++) {
            worker.run(1);
            pollAll(worker, 1);
        }
        assertThat(toA.next).hasValue(stopped);
        assertThat(stopped).isLessThan(2 * 64 * 1024);
        assertThat(toB.next.get()).isGreaterThan(before + ROUNDS);

        assertThat(pollAll(worker, 0)).isNotEmpty();
        worker.run(ROUNDS);
        assertThat(toA.next.get()).isGreaterThan(stopped);
    }

    @Test
    void shouldHoldBackASpoutWhileAnotherWorkerSaysThatItIsCongested() {
        Feed feed = Feed.endless();
        SingleWorker spout = spoutOf(feed, 1);
        SingleWorker bolt = new SingleWorker(topology.createTopology(), 2, BOLT, 1, 1);
        long version = bolt.remote().loadVersion();
        bolt.seatOf("bolt").executor().failures().backOff().waitUntil(Long.MAX_VALUE);
        for (int i = 0; i < ROUNDS; i++) {
            bolt.remote().deliver(tupleFor(TASK));
            bolt.run(1);
        }
        BitSet load = bolt.remote().load();
        assertThat(load.isEmpty()).isFalse();
        assertThat(bolt.remote().loadVersion()).isNotEqualTo(version);
        assertThat(bolt.woken()).isPositive();

        spout.remote().peerJoined(BOLT);
        spout.remote().setLoad(BOLT, load);
        spout.remote().setLoad(BOLT, load);
        spout.run(ROUNDS);
        assertThat(feed.next).hasValue(0);
        assertThat(spout.assembly().shared().overload().isOverloaded(TASK)).isTrue();
        assertThat(spout.remote().load().isEmpty())
                .as("what others say must not come back to them")
                .isTrue();

        spout.remote().setLoad(BOLT, new BitSet());
        spout.run(ROUNDS);
        assertThat(feed.next.get()).isPositive();
        assertThat(spout.assembly().shared().overload().isOverloaded(TASK)).isFalse();
    }

    // -------------------------------------------------------------------------------------------------------- order

    @Test
    void shouldNotMoveAnExecutorWhileWhatItSentIsOnItsWay() {
        topology.setSpout("spout", Feed.of(3).spout());
        topology.setBolt("bolt", TestBolt.ack()).shuffleGrouping("spout");
        SingleWorker worker = joined(worker(SPOUT, 1, 2), BOLT);
        ExecutorSlot slot = worker.seatOf("spout");
        EventLoop other = worker.assembly().loops().get(1 - slot.loop().index());

        assertThat(worker.assembly().move(slot, other)).isFalse();
        pollAll(worker, BOLT);

        assertThat(worker.assembly().move(slot, other)).isTrue();
        assertThat(slot.loop()).isSameAs(other);
    }

    @Test
    void shouldKeepTheOrderOfWhatArrivesBeforeAndAfterAMove() {
        List<Object> seen = new ArrayList<>();
        topology.setSpout("spout", Feed.of(0).spout());
        topology.bolt("bolt", "spout", (tuple, out) -> seen.add(tuple.getValue(0)));
        SingleWorker worker = worker(BOLT, 1, 2);
        worker.run(ROUNDS);
        ExecutorSlot slot = worker.seatOf("bolt");
        List<EventLoop> loops = worker.assembly().loops();
        List<Object> sent = new ArrayList<>();
        SeededRandom chance = new SeededRandom(1);
        for (int i = 0; i < ROUNDS; i++) {
            sent.add(i);
            Batch batch = new Batch();
            batch.add(EngineTuple.untracked(SOMEWHERE, List.of(i)), TASK);
            assertThat(worker.remote().deliver(batch)).isTrue();
            if (chance.oneIn(3)) {
                worker.assembly().move(slot, loops.get(1 - slot.loop().index()));
            }
            loops.get(chance.between(0, 1)).doWork();
        }
        worker.run(ROUNDS);

        assertThat(seen).isEqualTo(sent);
    }
}
