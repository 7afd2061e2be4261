package io.updraft.bench.report;

/**
 * One promised result.
 *
 * @param number the result's number, from 1 to 8
 * @param what the quantity that was measured
 * @param target the promised value, in words
 * @param measured Updraft's value, in words
 * @param storm Storm's value, or {@code -}
 * @param outcome whether the promise was kept
 * @param value Updraft's value as a number, comparable with {@link #goal}; NaN when there is none
 * @param goal the promised value as a number
 */
public record Verdict(
        int number,
        String what,
        String target,
        String measured,
        String storm,
        Outcome outcome,
        double value,
        double goal) {

    /** Whether a promise was kept. */
    public enum Outcome {
        MET("met"),
        NOT_MET("NOT MET"),
        NOT_COMPARED("needs --vs storm"),
        INVALID("INVALID");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        static Outcome of(boolean met) {
            return met ? MET : NOT_MET;
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
