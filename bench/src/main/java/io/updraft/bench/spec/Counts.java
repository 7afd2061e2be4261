package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the components counted, over all tasks.
 *
 * @param emitted messages that spouts emitted
 * @param completed messages that are through: acked, or received by the last level when they are not tracked
 * @param transferred tuples that bolts received
 * @param crossed those of them that came from another worker
 * @param acked messages whose spout was told of success
 * @param failed messages whose spout was told of failure
 */
public record Counts(long emitted, long completed, long transferred, long crossed, long acked, long failed) {

    /** Nothing. */
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    /**
     * What happened between two countings.
     *
     * @param earlier the first of them
     * @return the difference
     */
    public Counts since(Counts earlier) {
        return new Counts(
                emitted - earlier.emitted,
                completed - earlier.completed,
                transferred - earlier.transferred,
                crossed - earlier.crossed,
                acked - earlier.acked,
                failed - earlier.failed);
    }

    /** {@return how many messages are under way} */
    public long inFlight() {
        return emitted - completed - failed;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("emitted", emitted);
        json.put("completed", completed);
        json.put("transferred", transferred);
        json.put("crossed", crossed);
        json.put("acked", acked);
        json.put("failed", failed);
        return json;
    }

    static Counts fromJson(Map<String, Object> json) {
        return new Counts(
                Field.asLong(json, "emitted"),
                Field.asLong(json, "completed"),
                Field.asLong(json, "transferred"),
                Field.asLong(json, "crossed"),
                Field.asLong(json, "acked"),
                Field.asLong(json, "failed"));
    }
}
