package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/** The connecting end of one channel: a DEALER. Owner only, but for the hook that JeroMQ's I/O thread calls. */
final class Dialer implements Line {

    /** What is sent just before closing has this long to leave. */
    static final int LINGER_MILLIS = 500;

    /** Longer than any connect timeout matters: a channel never comes back, so neither does its connection. */
    private static final int RECONNECT_MILLIS = 60_000;

    private final ZMQ.Socket socket;
    private final long deadline;
    private final Runnable wakeUp;
    private ZeroMqChannel channel;
    private boolean released;

    /** Written by an I/O thread. */
    private volatile boolean unreachable;

    Dialer(ZMQ.Context context, Settings settings, Runnable wakeUp) {
        this.wakeUp = wakeUp;
        deadline = System.nanoTime() + settings.connectTimeoutNanos();
        socket = context.socket(SocketType.DEALER);
        settings.apply(socket);
        socket.setReconnectIVL(RECONNECT_MILLIS);
        socket.base().setSocketOpt(zmq.ZMQ.ZMQ_HICCUP_MSG, Wire.lost());
        socket.setEventHook(event -> failed(), ZMQ.EVENT_CONNECT_RETRIED);
    }

    /** An attempt has failed, or a connection has broken that the LOST in its stream tells of. */
    private void failed() {
        unreachable = true;
        wakeUp.run();
    }

    void connect(Address to, int window, ZeroMqChannel opening) {
        channel = opening;
        socket.setIPv6(to.host().indexOf(':') >= 0);
        socket.connect("tcp://" + to);
        socket.send(Wire.greeting(Wire.OPEN, window), ZMQ.DONTWAIT);
    }

    ZMQ.Socket socket() {
        return socket;
    }

    ZeroMqChannel channel() {
        return channel;
    }

    boolean isReleased() {
        return released;
    }

    long deadline() {
        return deadline;
    }

    /** Receives at most so many frames, and gives up an attempt that has failed or takes too long. */
    int poll(int most) {
        int done = 0;
        while (done < most && !released) {
            byte[] frame = Sockets.receive(socket);
            if (frame == null) {
                break;
            }
            channel.received(frame);
            done++;
        }
        return done + (released || !channel.isOpening() ? 0 : checkAttempt());
    }

    private int checkAttempt() {
        if (unreachable) {
            channel.end("nobody answers at " + channel.peer() + ": is it the right address, and does the peer run?");
            return 1;
        }
        if (System.nanoTime() - deadline > 0) {
            channel.end("no answer from " + channel.peer() + " within the connect timeout");
            return 1;
        }
        return 0;
    }

    @Override
    public boolean send(byte[] frame) {
        return !released && Sockets.send(socket, frame);
    }

    @Override
    public void release(boolean linger) {
        if (!released) {
            released = true;
            socket.setLinger(linger ? LINGER_MILLIS : 0);
            socket.close();
        }
    }
}
