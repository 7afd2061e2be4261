package io.updraft.observe.history;

import io.updraft.engine.snapshot.Move;

/**
 * What a history is about: one component, one worker, or the whole topology if both are null.
 *
 * @param component the name of the component, or null
 * @param worker the number of the worker, or null
 */
record HistorySubject(String component, Integer worker) {
    HistorySubject {
        if (component != null && worker != null) {
            throw new IllegalArgumentException("a history is that of a component or of a worker, not of both");
        }
    }

    boolean isTotals() {
        return component == null && worker == null;
    }

    /** Returns whether a series is of the same kind: one of components, or one of workers. */
    boolean isKindOf(HistorySeries series) {
        return worker == null ? series.isComponent() : series.kind() == HistorySeries.Kind.WORKER;
    }

    boolean isOf(HistorySeries series) {
        return isKindOf(series) && series.name().equals(worker == null ? component : worker.toString());
    }

    /** Returns whether a move is one of this subject, or one of several. */
    boolean isOf(Move move) {
        String moved = move.subject();
        if (isTotals() || moved.startsWith("all ")) {
            return true;
        }
        return worker == null
                ? moved.equals(component) || MoveGroups.isOf(component, move) || moved.startsWith("worker ")
                : moved.startsWith("worker " + worker + " ");
    }

    /** Returns the subject in words. */
    String describe() {
        return worker == null ? "component '" + component + "'" : "worker " + worker;
    }
}
