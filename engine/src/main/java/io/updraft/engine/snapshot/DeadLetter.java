package io.updraft.engine.snapshot;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message that failed too often and was given up.
 *
 * @param number identifies the letter in its engine; from 1, ascending
 * @param component the spout that emitted the message
 * @param task the task of the spout
 * @param stream the stream of the message
 * @param messageId the message id of the spout
 * @param values the values of the message
 * @param failures how often the message has failed, replays of the letter included
 * @param reason why it failed the last time
 * @param timeMillis when it was given up, milliseconds since the epoch
 * @param replay whether the letter can be replayed, and what became of its last replay
 */
public record DeadLetter(
        long number,
        String component,
        int task,
        String stream,
        Object messageId,
        List<Object> values,
        int failures,
        String reason,
        long timeMillis,
        Replay replay) {

    /** Whether a letter can be replayed, and what became of its last replay. */
    public enum Replay {
        /** The letter was never replayed. */
        POSSIBLE("possible"),
        /** The letter cannot be replayed: the engine does not know to which task a message of a direct stream was sent. */
        DIRECT_STREAM("not possible, because its stream is direct"),
        /** The letter cannot be replayed: its values have ended with the process of its worker. */
        WORKER_ENDED("not possible, because its worker has ended"),
        /** The letter is replayed when its spout may emit. */
        WAITING("waiting"),
        /** The replayed message is in flight. */
        IN_FLIGHT("in flight"),
        /** The replayed message has failed, so the letter can be replayed again. */
        FAILED_AGAIN("failed again"),
        /** The replayed message is processed. */
        COMPLETED("completed");

        private final String text;

        Replay(String text) {
            this.text = text;
        }

        /** {@return whether a letter in this state can be replayed} */
        public boolean mayStart() {
            return this == POSSIBLE || this == FAILED_AGAIN;
        }

        /** {@return whether a letter in this state can never be replayed} */
        public boolean isImpossible() {
            return this == DIRECT_STREAM || this == WORKER_ENDED;
        }

        /** {@return whether a replay is ordered and has no result yet} */
        public boolean isOn() {
            return this == WAITING || this == IN_FLIGHT;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * {@return the same letter after a step of its replay}
     *
     * @param next the state of the replay
     */
    public DeadLetter with(Replay next) {
        return new DeadLetter(number, component, task, stream, messageId, values, failures, reason, timeMillis, next);
    }

    /**
     * {@return the same letter after its replay has failed}
     *
     * @param why the reason
     */
    public DeadLetter failedAgain(String why) {
        return new DeadLetter(
                number, component, task, stream, messageId, values, failures + 1, why, timeMillis, Replay.FAILED_AGAIN);
    }

    /**
     * Checks that the letter may be named by an order to replay.
     *
     * @throws IllegalArgumentException when it can never be replayed
     */
    public void checkReplay() {
        if (replay.isImpossible()) {
            throw new IllegalArgumentException("a replay of dead letter " + number + " is " + replay);
        }
    }

    /** {@return the message as members of a JSON object: numbers, booleans and null as they are, other values as text} */
    public Map<String, Object> message() {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("time", Instant.ofEpochMilli(timeMillis).toString());
        message.put("component", component);
        message.put("task", task);
        message.put("stream", stream);
        message.put("messageId", text(messageId));
        message.put("values", values.stream().map(DeadLetter::readable).toList());
        message.put("failures", failures);
        return message;
    }

    private static Object readable(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number number && isFinite(number)) {
            return value;
        }
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : text(value);
    }

    /** Returns whether a number is finite; JSON has no notation for infinity and NaN. */
    private static boolean isFinite(Number number) {
        return Double.isFinite(number.doubleValue()) || !(number instanceof Double || number instanceof Float);
    }

    private static String text(Object value) {
        try {
            return String.valueOf(value);
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            return value.getClass().getName();
        }
    }
}
