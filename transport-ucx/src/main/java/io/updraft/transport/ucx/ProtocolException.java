package io.updraft.transport.ucx;

/** A peer has sent what a peer of ours would not send. The message is for people, on one line. */
final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
