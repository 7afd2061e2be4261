package io.updraft.storm.cluster;

/** Finds out whether the caller is a component: code inside a topology must not wait for that topology. */
final class EngineThreads {
    private static final String ENGINE_PACKAGE = "io.updraft.engine.";

    private EngineThreads() {}

    /** Returns whether the calling thread belongs to an engine, so that the caller is code of a component. */
    static boolean insideEngine() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(ENGINE_PACKAGE)));
    }
}
