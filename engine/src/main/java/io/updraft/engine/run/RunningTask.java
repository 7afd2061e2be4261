package io.updraft.engine.run;

import org.slf4j.MDC;

/**
 * The task whose code a thread runs, for the thread's log lines. A turn costs nothing more for it: only a log line looks for the
 * task. A thread that a task starts runs as this task, and so do the threads that it starts.
 *
 * @param component the name of the component
 * @param task the task
 */
public record RunningTask(String component, int task) {
    /** The key of the logging context with the name of the component. */
    public static final String COMPONENT_KEY = "component";

    /** The key of the logging context with the task. */
    public static final String TASK_KEY = "task";

    /** The task that started a thread. A thread of the engine has an entry only so that its children are given theirs. */
    private static final InheritableThreadLocal<RunningTask> STARTED_BY = new InheritableThreadLocal<>() {
        @Override
        protected RunningTask childValue(RunningTask parent) {
            return current();
        }
    };

    /** {@return the task whose code the calling thread runs, null if it runs none} */
    public static RunningTask current() {
        return Thread.currentThread() instanceof EngineThread own ? own.runningTask() : STARTED_BY.get();
    }

    /** Lets the threads that the calling thread will start ask it for its task. */
    static void passToChildren() {
        STARTED_BY.set(null);
    }

    /** Runs an action whose log lines are about this task, on a thread that need not run its code. */
    public void log(Runnable action) {
        MDC.put(COMPONENT_KEY, component);
        MDC.put(TASK_KEY, Integer.toString(task));
        try {
            action.run();
        } finally {
            MDC.remove(COMPONENT_KEY);
            MDC.remove(TASK_KEY);
        }
    }
}
