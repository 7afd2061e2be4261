package io.updraft.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One promised result.
 *
 * @param number its number
 * @param what what was measured
 * @param target what was promised
 * @param measured what came out
 * @param storm the same of Storm, or {@code -}
 * @param outcome whether the promise was kept
 * @param value what came out, as a number that {@link #goal} bounds; NaN when there is none
 * @param goal the promised number
 */
record Verdict(
        int number,
        String what,
        String target,
        String measured,
        String storm,
        Outcome outcome,
        double value,
        double goal) {

    /** Whether a promise was kept. */
    enum Outcome {
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

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", number);
        json.put("what", what);
        json.put("target", target);
        json.put("measured", measured);
        json.put("storm", storm);
        json.put("outcome", outcome.name());
        json.put("value", value);
        json.put("goal", goal);
        return json;
    }
}
