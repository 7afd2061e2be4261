package io.updraft.transport.zeromq;

import org.zeromq.ZMQ;
import zmq.Msg;

/** Sends and receives without waiting, and without exceptions when the thread is interrupted. */
final class SocketFrames {

    private SocketFrames() {}

    static boolean send(ZMQ.Socket socket, byte[] frame) {
        return socket.base().send(new Msg(frame), ZMQ.DONTWAIT);
    }

    static boolean send(ZMQ.Socket router, byte[] identity, byte[] frame) {
        return router.base().send(new Msg(identity), ZMQ.DONTWAIT | ZMQ.SNDMORE) && send(router, frame);
    }

    /** {@return a frame, or null when there is none} */
    static byte[] receive(ZMQ.Socket socket) {
        Msg frame = socket.base().recv(ZMQ.DONTWAIT);
        return frame == null ? null : frame.data();
    }

    /** {@return whether receive would return a frame; if not, the socket's channel becomes readable when it would} */
    static boolean hasInput(ZMQ.Socket socket) {
        return (socket.getEvents() & ZMQ.Poller.POLLIN) != 0;
    }
}
