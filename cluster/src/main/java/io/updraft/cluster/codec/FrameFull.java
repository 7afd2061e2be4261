package io.updraft.cluster.codec;

/** Signals that an item does not fit into the frame. There is only one instance, because this is a signal, not an error. */
final class FrameFull extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final FrameFull SIGNAL = new FrameFull();

    private FrameFull() {
        super("the frame is full", null, false, false);
    }
}
