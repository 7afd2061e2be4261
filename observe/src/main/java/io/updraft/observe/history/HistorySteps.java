package io.updraft.observe.history;

import java.util.ArrayList;
import java.util.List;

/** Merges samples, which come in the order of time, into steps that begin at multiples of their length. Not thread-safe. */
final class HistorySteps {
    private final long lengthMillis;
    private final List<HistoryStep> steps = new ArrayList<>();
    private StepAccumulator current;

    /** Merges into steps of a length in milliseconds. */
    HistorySteps(long length) {
        this.lengthMillis = length;
    }

    /**
     * Returns the step of a sample: the one in which its middle is. A sample that is longer than a step is in the step that
     * is next to its start, and makes that step as long.
     */
    StepAccumulator at(long startMillis, long endMillis) {
        long middle = startMillis + Math.min(endMillis - startMillis, lengthMillis) / 2;
        long start = middle - Math.floorMod(middle, lengthMillis);
        if (current == null || start > current.startMillis()) {
            finish();
            current = new StepAccumulator(start);
        }
        return current;
    }

    private void finish() {
        if (current != null) {
            steps.add(current.step());
        }
    }

    /** Returns all steps, the oldest first. No sample may follow. */
    List<HistoryStep> all() {
        finish();
        current = null;
        return steps;
    }
}
