package io.updraft.cluster.codec;

/** There is no room for this in the frame. Always the same one, since it is a signal rather than an error. */
final class FrameFull extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final FrameFull SIGNAL = new FrameFull();

    private FrameFull() {
        super("the frame is full", null, false, false);
    }
}
