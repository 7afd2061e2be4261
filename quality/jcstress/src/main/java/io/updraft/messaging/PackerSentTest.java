package io.updraft.messaging;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.storm.messaging.TaskMessage;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A closing thread checks whether all messages were sent, while the owner moves a message from the queue into a frame. */
@JCStressTest
@Description("A message on its way from the queue into a frame is not taken for sent.")
@Outcome(id = "false", expect = ACCEPTABLE, desc = "something is still to be sent")
@Outcome(id = "true", expect = FORBIDDEN, desc = "the connection would be closed too early")
@State
public class PackerSentTest {

    private final SendQueue queue = new SendQueue(8, 1_024);
    private final MessagePacker packer = new MessagePacker(queue, 1_024);

    /** Creates the state of one try. */
    public PackerSentTest() {
        queue.offer(new TaskMessage(1, new byte[1]));
    }

    /** The owner. */
    @Actor
    public void pack() {
        packer.pack();
    }

    /**
     * Storm's thread, in the order in which a connection looks.
     *
     * @param result whether all seems to be sent
     */
    @Actor
    public void look(Z_Result result) {
        result.r1 = queue.isEmpty() && packer.isSent();
    }
}
