package io.updraft.engine.snapshot;

/**
 * The code of a component that a thread runs, as seen at one moment.
 *
 * @param component the component
 * @param task the task that the engine has called; of an executor with several tasks, the one that was probably called; -1 for a
 *     thread that the component has started
 * @param method the method that the engine has called, such as {@code execute}; empty for a thread that the component has started
 * @param nanos time since the engine called the method, nanoseconds; 0 if that is not known
 */
public record RunningCode(String component, int task, String method, long nanos) {

    /**
     * {@return the code of a thread that a component has started}
     *
     * @param component the component
     */
    public static RunningCode ofOwnThread(String component) {
        return new RunningCode(component, -1, "", 0);
    }
}
