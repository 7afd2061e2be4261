package io.updraft.messaging;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.jcstress.Alarm;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.TaskMessage;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Storm's transfer threads queue messages and notify the owner only if no thread has done so. No message stays unsent. */
@JCStressTest
@Description("No message is left in the queue of which the owner does not know.")
@Outcome(id = "2", expect = ACCEPTABLE, desc = "both were sent")
@Outcome(expect = FORBIDDEN, desc = "a message lies there until somebody sends the next one")
@State
public class OutboundTellTest {

    private static final MessagingSettings SETTINGS = new MessagingSettings(1_024, 8, 1_024, 0, 0, false);

    private final IoThread io = new IoThread(new Alarm().messenger());
    private final OutboundConnection outbound =
            new OutboundConnection(io, SETTINGS, "localhost", 1, new BackPressureFlags(new AtomicBoolean[0]));
    private final Sink sink = new Sink();

    /** Creates the state of one try. */
    public OutboundTellTest() {
        outbound.session = sink;
    }

    /** Storm's thread. */
    @Actor
    public void send() {
        outbound.send(List.of(message()).iterator());
        outbound.send(List.of(message()).iterator());
    }

    /** The owner. */
    @Actor
    public void own() {
        io.doWork();
        io.doWork();
    }

    /**
     * The owner, after it was told for the last time.
     *
     * @param result how many messages were sent
     */
    @Arbiter
    public void rest(I_Result result) {
        io.doWork();
        result.r1 = sink.messages;
    }

    private static TaskMessage message() {
        return new TaskMessage(1, new byte[1]);
    }

    /** A session that takes everything, and counts. */
    private static final class Sink implements Session {

        private int messages;

        @Override
        public boolean offer(ByteBuffer frame) {
            frame.get();
            messages += MessageFrames.tuples(frame).size();
            return true;
        }

        @Override
        public PeerIdentity peer() {
            return null;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void release(int bytes) {
            // Nothing is received.
        }

        @Override
        public void close() {
            // It has nothing.
        }
    }
}
