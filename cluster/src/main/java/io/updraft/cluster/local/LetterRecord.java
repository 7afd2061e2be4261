package io.updraft.cluster.local;

import io.updraft.engine.snapshot.DeadLetter;
import java.util.Collections;
import java.util.List;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * A dead letter as another process shows it. The letter itself, with its values, stays in its worker and ends with it.
 *
 * @param values the values, as JSON; one text if they are long
 * @param failures how often the message has failed
 * @param reason why it failed the last time
 * @param timeMillis when it was given up, milliseconds since the epoch
 */
record LetterRecord(
        long number,
        String component,
        int task,
        String stream,
        String messageId,
        String values,
        int failures,
        String reason,
        long timeMillis,
        String replay) {
    /** Most letters in a report, and of a worker in its coordinator: the newest. */
    public static final int MOST = 1000;

    /** Longest text of an id, a reason or the values, in characters. A report has many letters. */
    private static final int MAX_LENGTH = 4096;

    public static LetterRecord of(DeadLetter letter) {
        List<?> readable = (List<?>) letter.message().get("values");
        String values = JSONValue.toJSONString(readable);
        return new LetterRecord(
                letter.number(),
                letter.component(),
                letter.task(),
                letter.stream(),
                cut(String.valueOf(letter.message().get("messageId"))),
                values.length() <= MAX_LENGTH ? values : JSONValue.toJSONString(List.of(cut(values))),
                letter.failures(),
                cut(letter.reason()),
                letter.timeMillis(),
                letter.replay().name());
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }

    /** {@return the letter after the process that held its values has ended} */
    public LetterRecord withoutWorker() {
        return DeadLetter.Replay.valueOf(replay) == DeadLetter.Replay.COMPLETED
                ? this
                : new LetterRecord(
                        number,
                        component,
                        task,
                        stream,
                        messageId,
                        values,
                        failures,
                        reason,
                        timeMillis,
                        DeadLetter.Replay.WORKER_ENDED.name());
    }

    /** {@return the letter as it is shown} */
    public DeadLetter toLetter() {
        List<Object> shown =
                JSONValue.parse(values) instanceof List<?> list ? Collections.unmodifiableList(list) : List.of(values);
        return new DeadLetter(
                number,
                component,
                task,
                stream,
                messageId,
                shown,
                failures,
                reason,
                timeMillis,
                DeadLetter.Replay.valueOf(replay));
    }
}
