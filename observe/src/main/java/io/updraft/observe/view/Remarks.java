package io.updraft.observe.view;

import io.updraft.observe.view.Remark.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is worth saying about a topology or a pipeline: one list, which all terminals, the console and the figures show. Used by
 * one thread while it is filled, then by any.
 */
public final class Remarks {
    /** Of one kind, so many lines are shown; the others are counted. */
    private static final int MAX_LINES = 3;

    private final Map<Kind, List<Remark>> byKind = new EnumMap<>(Kind.class);
    private final Map<String, Set<Kind>> marks = new HashMap<>();

    /**
     * Adds a remark.
     *
     * @param kind the kind of problem
     * @param component the component that it is about; null if it is about the whole
     * @param text the line without the label of the kind; nothing is added if it is empty
     */
    public void add(Kind kind, String component, String text) {
        if (text.isEmpty()) {
            return;
        }
        List<Remark> ofKind = byKind.computeIfAbsent(kind, added -> new ArrayList<>());
        ofKind.add(new Remark(kind, ofKind.size(), component, text));
        if (component != null) {
            marks.computeIfAbsent(component, added -> EnumSet.noneOf(Kind.class))
                    .add(kind);
        }
    }

    /** {@return the lines, the most important first; of each kind a few, and how many more there are} */
    public List<Remark> lines() {
        return byKind.values().stream()
                .map(Remarks::atMost)
                .flatMap(List::stream)
                .toList();
    }

    private static List<Remark> atMost(List<Remark> all) {
        long continued =
                all.stream().filter(remark -> remark.text().startsWith(" ")).count();
        if (continued > 0 || all.size() <= MAX_LINES) {
            return all;
        }
        List<Remark> shown = new ArrayList<>(all.subList(0, MAX_LINES));
        Kind kind = all.get(0).kind();
        shown.add(new Remark(kind, MAX_LINES, null, "  ... and " + (all.size() - MAX_LINES) + " more"));
        return shown;
    }

    /** {@return the lines for JSON} */
    public List<RemarkView> views() {
        return lines().stream().map(RemarkView::of).toList();
    }

    /** {@return whether there is a remark of a kind} */
    public boolean has(Kind kind) {
        return byKind.containsKey(kind);
    }

    /** {@return the kinds of remarks on each component that has some} */
    public Map<String, Set<Kind>> marks() {
        return marks;
    }

    /**
     * Names the state of a topology.
     *
     * @param state what its engine says, in a word
     * @return the same word, but that of the most important problem of a topology that runs
     */
    public String state(String state) {
        return state.equals("running")
                ? byKind.keySet().stream()
                        .filter(kind -> !kind.state().isEmpty())
                        .min(Comparator.naturalOrder())
                        .map(Kind::state)
                        .orElse(state)
                : state;
    }
}
