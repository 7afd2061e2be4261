package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import zmq.Msg;

/** A socket that the owner polls. No method waits, or throws when the thread is interrupted. Owner only. */
abstract class PolledSocket {

    /** Time to send the last frames before the socket closes, milliseconds. */
    static final int LINGER_MILLIS = 500;

    final ZeroMqTransport transport;
    private ZMQ.Socket socket;
    private boolean released;

    PolledSocket(ZeroMqTransport transport) {
        this.transport = transport;
    }

    ZMQ.Socket open(SocketType type, Address address) {
        socket = transport.context.socket(type);
        transport.settings.apply(socket);
        socket.setIPv6(address.host().indexOf(':') >= 0);
        transport.watch(socket);
        return socket;
    }

    boolean isReleased() {
        return released;
    }

    int poll(int most) {
        int done = 0;
        for (; done < most; done++) {
            Msg frame = next();
            if (frame == null) {
                break;
            }
            receive(frame);
        }
        return done;
    }

    /** {@return the next frame, or null when there is none} */
    Msg next() {
        return released ? null : socket.base().recv(ZMQ.DONTWAIT);
    }

    abstract void receive(Msg frame);

    /** {@return whether poll has work to do; if not, the socket's channel becomes readable when it would} */
    boolean hasInput() {
        return released || (socket.getEvents() & ZMQ.Poller.POLLIN) != 0;
    }

    /** {@return when to poll at the latest, by the clock of System.nanoTime; {@code otherwise} if only input matters} */
    long nextLook(long otherwise) {
        return otherwise;
    }

    boolean send(byte[] frame, int flags) {
        return !released && socket.base().send(new Msg(frame), ZMQ.DONTWAIT | flags);
    }

    /** Closes with all channels, without a call to their handlers, because the transport closes. */
    abstract void abandon();

    void release(int lingerMillis) {
        if (!released) {
            released = true;
            close(lingerMillis);
        }
    }

    void close(int lingerMillis) {
        if (socket != null) {
            socket.setLinger(lingerMillis);
            socket.close();
            socket = null;
        }
    }
}
