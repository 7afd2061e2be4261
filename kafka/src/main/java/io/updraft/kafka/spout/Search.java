package io.updraft.kafka.spout;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for one record that is overdue: its next attempt is traced through the topology, until the alarm has told in which
 * component it is. Then no more of it is traced: a record that a bolt keeps for ever should not slow down the others for as long.
 */
final class Search {

    private static final Logger LOG = LoggerFactory.getLogger(Search.class);

    final long offset;
    private final Whereabouts engine;
    private AutoCloseable trace;
    private int attempt;
    private boolean told;
    private volatile Sighting sighting;

    /** What a trace has told. */
    private record Sighting(String place, int attempt, long at) {}

    Search(long offset, Whereabouts engine) {
        this.offset = offset;
        this.engine = engine;
    }

    /** Another attempt is about to be emitted. */
    void emitting(RecordId id, List<Object> values) {
        if (!told && id.offset() == offset) {
            end();
            attempt = id.attempt + 1;
            int current = attempt;
            trace = engine.trace(values, place -> sighting = new Sighting(place, current, System.nanoTime()));
        }
    }

    /** Whether an attempt is being traced that no component has seen yet. */
    boolean isUnseen() {
        Sighting newest = sighting;
        return trace != null && (newest == null || newest.attempt != attempt);
    }

    /** Where it was seen, for the alarm that is about to tell it; null if nowhere. */
    String tell(long now) {
        Sighting newest = sighting;
        if (newest == null) {
            return null;
        }
        if (!isUnseen()) {
            told = true;
            end();
        }
        return newest.place + " (attempt " + newest.attempt + ", "
                + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, now - newest.at)) + " s ago)";
    }

    /** Ends the trace. */
    void end() {
        if (trace == null) {
            return;
        }
        try {
            trace.close();
        } catch (Exception e) {
            LOG.warn("The trace of offset {} cannot be ended", offset, e);
        }
        trace = null;
    }
}
