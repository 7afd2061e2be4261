package io.updraft.observe.view;

import io.updraft.engine.snapshot.CallInProgress;
import java.util.List;

/**
 * A call of user code that does not return.
 *
 * @param component the component
 * @param task the task
 * @param method the method, such as {@code execute}
 * @param seconds how long it has taken
 * @param thread the thread
 * @param activity what the thread does, in a word
 * @param deadlocked whether its thread is part of a deadlock
 * @param place the place in the code; null if unknown
 * @param line all that in one line
 * @param stack the stack of the thread; null in lists
 */
public record CallView(
        String component,
        int task,
        String method,
        double seconds,
        String thread,
        String activity,
        boolean deadlocked,
        String place,
        String line,
        List<String> stack) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** {@return a call, with its stack or without} */
    public static CallView of(CallInProgress call, boolean withStack) {
        return new CallView(
                call.component(),
                call.task(),
                call.method(),
                call.nanos() / NANOS_PER_SECOND,
                call.thread(),
                call.activity(),
                call.deadlocked(),
                call.place(),
                call.describe(),
                withStack ? call.stack() : null);
    }

    /** {@return the same call, with more at the end of its line} */
    public CallView reported(String more) {
        return new CallView(component, task, method, seconds, thread, activity, deadlocked, place, line + more, stack);
    }
}
