package io.updraft.engine.snapshot;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A call of user code that has not returned for a while, as seen at one moment.
 *
 * @param component the component
 * @param task the task; of an executor with several tasks, the one that was probably called
 * @param method the method of the component that the engine called, such as {@code execute}
 * @param nanos time since the call, nanoseconds; the engine notes the time of a turn, so it may be up to a millisecond too long
 * @param thread the name of the thread
 * @param activity what the thread does, such as {@code sleeping}, {@code waiting for room in emit, back-pressure from count} or
 *     {@code waiting for java.lang.Object@1b2c held by 'main'}
 * @param deadlocked whether the thread is part of a deadlock
 * @param stack the stack of the thread, innermost call first
 */
public record CallInProgress(
        String component,
        int task,
        String method,
        long nanos,
        String thread,
        String activity,
        boolean deadlocked,
        List<String> stack) {

    /** Time from which a call is stuck, nanoseconds. */
    public static final long STUCK_FROM_NANOS = 2_000_000_000L;

    /** Time from which a call that starts a component is stuck, nanoseconds: it may load data or start a process. */
    public static final long SLOW_START_NANOS = 30_000_000_000L;

    private static final Set<String> STARTING_METHODS = Set.of("open", "prepare", "activate");

    /** {@return whether the call takes longer than calls of its method usually do, or will never return} */
    public boolean isStuck() {
        return nanos >= (isStart() && !deadlocked ? SLOW_START_NANOS : STUCK_FROM_NANOS);
    }

    private boolean isStart() {
        return STARTING_METHODS.contains(method);
    }

    /** {@return the component, task, method, time, place and activity, in one line} */
    public String describe() {
        String place = place();
        return component + " task " + task + " in " + method + "() for " + duration(nanos)
                + (place.isEmpty() ? "" : " at " + place) + ", " + (deadlocked ? "DEADLOCK: " : "") + activity;
    }

    /** {@return the innermost place in code of the user, as {@code Foo.java:17}; empty if there is none} */
    public String place() {
        return PlatformFrames.place(stack);
    }

    /**
     * {@return a time as text, such as {@code 5s}, {@code 1m45s} or {@code 2h07m}}
     *
     * @param nanos the time, nanoseconds
     */
    public static String duration(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        if (time.toMinutes() == 0) {
            return time.toSeconds() + "s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + "m" + two(time.toSecondsPart()) + "s"
                : time.toHours() + "h" + two(time.toMinutesPart()) + "m";
    }

    /**
     * Reads a text that {@link #duration} has made.
     *
     * @param duration the text
     * @return the time, nanoseconds; empty for another text
     */
    public static Optional<Long> nanosOf(String duration) {
        try {
            return Optional.of(Duration.parse("PT" + duration).toNanos());
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static String two(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }
}
