package io.updraft.cluster.local;

/**
 * One worker, as an operator wants to see it.
 *
 * @param worker its number in the plan
 * @param pid its process, or that of its last one
 * @param state what has become of it
 * @param sinceNanos how long it has been so, nanoseconds
 * @param restarts how often its process was started again
 * @param lastEnd what its last process that is gone ended of, in a few words; null if none has
 * @param lastEndMillis when that was, milliseconds since the epoch
 */
public record WorkerStatus(
        int worker, long pid, State state, long sinceNanos, int restarts, String lastEnd, long lastEndMillis) {

    /** What can become of a worker. */
    public enum State {
        /** Its process is there, its engine not yet. */
        STARTING("starting"),
        /** It runs. */
        RUNNING("up"),
        /** It runs but does not answer: it is stopped, has no processor to run on, or collects garbage. */
        SILENT("silent"),
        /** It has ended and is about to be started again. */
        DOWN("down"),
        /** It has ended for good. */
        STOPPED("stopped");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** {@return the state in a word for people} */
        public String word() {
            return word;
        }
    }
}
