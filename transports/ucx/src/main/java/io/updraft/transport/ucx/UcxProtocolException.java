package io.updraft.transport.ucx;

/** Thrown when a peer has sent something that a correct peer would not send. The message is one readable line. */
final class UcxProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    UcxProtocolException(String message) {
        super(message);
    }
}
