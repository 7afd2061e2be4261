package io.updraft.kafka.reader;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.kafka.common.TopicPartition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The caller empties a partition's queue while the broker reader finds the queue full and stops fetching. Fetching resumes. */
@JCStressTest
@Description("Whoever stops fetching as the queue is full fetches again by itself, or is woken when there is room.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "it saw the room, and fetches on")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "it saw the room, and was woken needlessly")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it waits, and is woken")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "it waits, and nobody wakes it: the wake-up was lost")
@State
public class AssignedPartitionRoomTest {

    private static final int QUEUE_BYTES = 100;
    private static final int BATCH = 60;
    private static final TopicPartition ID = new TopicPartition("topic", 0);

    private final AssignedPartition partition = new AssignedPartition(ID, ID.toString(), 0);

    /** Creates the state of one try: two batches in the queue, which is more than it should hold. */
    public AssignedPartitionRoomTest() {
        partition.addQueued(2 * BATCH);
    }

    /**
     * The broker reader, before it waits.
     *
     * @param result whether it fetches nothing
     */
    @Actor
    public void hold(II_Result result) {
        boolean stopped = partition.becomesFull(QUEUE_BYTES);
        boolean resumed = partition.becomesDrained(QUEUE_BYTES);
        result.r1 = stopped && !resumed ? 1 : 0;
    }

    /**
     * The caller, who takes both batches.
     *
     * @param result whether it has woken the broker reader
     */
    @Actor
    public void take(II_Result result) {
        boolean first = partition.removeQueued(BATCH, QUEUE_BYTES);
        boolean second = partition.removeQueued(BATCH, QUEUE_BYTES);
        result.r2 = first || second ? 1 : 0;
    }
}
