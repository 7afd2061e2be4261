package io.updraft.observe.process;

/**
 * The status of one worker, for an operator.
 *
 * @param worker the number of the worker in the plan
 * @param pid the process id of the worker, or of its last process
 * @param state the state of the worker
 * @param sinceNanos how long the worker has been in this state, nanoseconds
 * @param restarts how often the worker's process was restarted
 * @param lastEnd why the last ended process ended, in a few words; null if none has ended
 * @param lastEndMillis when the last ended process ended, milliseconds since the epoch
 * @param usage what the process used when it last reported; null if it has not, or has ended
 * @param full the heap of the process if it stays nearly full after collections; else null
 */
public record WorkerStatus(
        int worker,
        long pid,
        State state,
        long sinceNanos,
        int restarts,
        String lastEnd,
        long lastEndMillis,
        JvmUsage usage,
        FullHeap full) {
    /** The states of a worker. */
    public enum State {
        /** Its process runs, its engine is not ready. */
        STARTING("starting"),
        /** Its engine runs. */
        RUNNING("up"),
        /** Its engine runs but does not answer: the process is stopped, gets no processor time, or collects garbage. */
        SILENT("silent"),
        /** It has ended and will be restarted. */
        DOWN("down"),
        /** It has ended for good. */
        STOPPED("stopped");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** {@return the state as a word for users} */
        public String word() {
            return word;
        }
    }
}
