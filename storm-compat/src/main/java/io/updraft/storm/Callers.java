package io.updraft.storm;

/** Who is calling: code that runs inside a topology must not wait for that topology. */
final class Callers {
    private static final String ENGINE_PACKAGE = "io.updraft.engine.";

    private Callers() {}

    /** Whether the calling thread is one of an engine, that is, the caller is a component's code. */
    static boolean insideEngine() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(ENGINE_PACKAGE)));
    }
}
