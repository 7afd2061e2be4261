package io.updraft.observe.advice;

/**
 * The load of one component over an interval. A share of 1 is one thread that does nothing else.
 *
 * @param ownThreads whether its executors run on threads of their own, because their code blocks or computes for long
 * @param busy the time in user code, as a share of the interval, summed over executors
 * @param waiting the part of {@code busy} in which calls wait and use no core
 * @param calls calls of {@code execute}, or tuples that the spout has emitted, per second
 * @param heaviestKey the share of the tuples that have the heaviest hot key; 0 if there is no hot key
 * @param hotKey the hot key in words, such as {@code word = the}; empty if there is none
 */
record ComponentLoad(
        String id,
        boolean spout,
        int tasks,
        int executors,
        boolean ownThreads,
        double busy,
        double busiest,
        double waiting,
        double calls,
        double heaviestKey,
        String hotKey) {

    /** {@return the time in which calls compute, as a share of the interval, summed over executors} */
    double computing() {
        return busy - waiting;
    }

    /** {@return whether calls wait most of their time, so that more executors cost hardly any core} */
    boolean mostlyWaits() {
        return waiting > computing();
    }

    /** {@return the time of one call, nanoseconds; 0 without calls} */
    double callNanos() {
        return calls > 0 ? busy * 1e9 / calls : 0;
    }

    /** {@return how busy the busiest executor would be at the same rate of tuples} */
    double busiestOf(int number) {
        if (number == executors) {
            return busiest;
        }
        if (heaviestKey > 0) {
            // One task gets all tuples with the key, and its share of the others.
            return busy * (heaviestKey + (1 - heaviestKey) / number);
        }
        int most = (tasks(number) + number - 1) / number;
        double even = busy * most / tasks(number);
        return busy > 0 ? even * busiest * executors / busy : 0;
    }

    /** Returns the number of tasks with so many executors. A program that has not set it gets a task for each executor. */
    private int tasks(int number) {
        return tasks == executors ? number : tasks;
    }

    /** {@return the largest number of executors that the component may get} */
    int mostExecutors() {
        return tasks == executors ? Integer.MAX_VALUE : tasks;
    }
}
