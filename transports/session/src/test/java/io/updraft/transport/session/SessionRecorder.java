package io.updraft.transport.session;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records the events of a handler, and checks that they come in the specified order. */
final class SessionRecorder implements SessionHandler {

    final List<byte[]> frames = new ArrayList<>();
    final List<SessionLoss> losses = new ArrayList<>();
    Session session;
    int opened;
    int writable;
    boolean open;
    /** Whether each frame's credit is given back at once. */
    boolean releasing = true;

    Runnable beforeFrame = () -> {};

    @Override
    public void onOpen(Session newSession) {
        if (open || !newSession.isOpen()) {
            throw new AssertionError("opened twice, or not open");
        }
        session = newSession;
        open = true;
        opened++;
    }

    @Override
    public void onFrame(Session from, ByteBuffer frame) {
        if (!open || from != session) {
            throw new AssertionError("a frame of a session that is not open");
        }
        beforeFrame.run();
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        frames.add(bytes);
        if (releasing) {
            from.release(bytes.length);
        }
    }

    @Override
    public void onWritable(Session to) {
        writable++;
    }

    @Override
    public void onLost(Session from, SessionLoss loss) {
        if (from.isOpen()) {
            throw new AssertionError("lost, and still open");
        }
        open = false;
        losses.add(loss);
    }

    SessionLoss lastLoss() {
        return losses.get(losses.size() - 1);
    }
}
