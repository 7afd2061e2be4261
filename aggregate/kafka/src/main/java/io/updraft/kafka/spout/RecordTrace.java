package io.updraft.kafka.spout;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traces the next attempt at one overdue record through the topology, until an alarm has named the component that has it. The
 * trace ends then: a record that a bolt holds forever must not slow down other tuples forever.
 */
final class RecordTrace {

    private static final Logger LOG = LoggerFactory.getLogger(RecordTrace.class);

    final long offset;
    private final EngineTraces engine;
    private AutoCloseable trace;
    private int attempt;
    private boolean reported;
    private volatile Sighting sighting;

    /** The place where a trace last saw the record. */
    private record Sighting(String place, int attempt, long at) {}

    RecordTrace(long offset, EngineTraces engine) {
        this.offset = offset;
        this.engine = engine;
    }

    void emitting(RecordId id, List<Object> values) {
        if (!reported && id.offset() == offset) {
            end();
            attempt = id.attempt + 1;
            int current = attempt;
            trace = engine.trace(values, place -> sighting = new Sighting(place, current, System.nanoTime()));
        }
    }

    /** Returns whether the traced attempt has not been seen by a component yet. */
    boolean isUnseen() {
        Sighting newest = sighting;
        return trace != null && (newest == null || newest.attempt != attempt);
    }

    /**
     * Returns where the record was last seen, for an alarm; null if no component has seen it. Ends the trace if the newest
     * attempt was seen.
     */
    String report(long now) {
        Sighting newest = sighting;
        if (newest == null) {
            return null;
        }
        if (!isUnseen()) {
            reported = true;
            end();
        }
        return newest.place + " (attempt " + newest.attempt + ", "
                + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, now - newest.at)) + " s ago)";
    }

    void end() {
        if (trace == null) {
            return;
        }
        try {
            trace.close();
        } catch (Exception e) {
            LOG.warn("cannot end the trace of offset {}", offset, e);
        }
        trace = null;
    }
}
