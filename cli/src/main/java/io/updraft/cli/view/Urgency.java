package io.updraft.cli.view;

import io.updraft.observe.view.Remark.Kind;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Why an operator wants to see a component, most urgent reason first. */
enum Urgency {
    BOTTLENECK(">"),
    /** A call of its code has not returned for a while. */
    STUCK("!"),
    /** One of its tasks gets a hot key. */
    HOT_KEY("!"),
    /** Tuples failed, its code threw exceptions, or messages were given up in the interval. */
    FAILING("!"),
    BACK_PRESSURED(""),
    SPOUT(""),
    NONE("");

    private final String mark;

    Urgency(String mark) {
        this.mark = mark;
    }

    /** {@return the mark before the component's name} */
    String mark() {
        return mark;
    }

    boolean isTrouble() {
        return compareTo(BACK_PRESSURED) <= 0;
    }

    /** {@return the urgency of each component, by id} */
    static Map<String, Urgency> of(TopologySample sample, Remarks remarks) {
        Map<String, Urgency> urgencies = new HashMap<>();
        for (ComponentRates component : sample.components()) {
            urgencies.put(component.id(), of(component, remarks.marks().getOrDefault(component.id(), Set.of())));
        }
        return urgencies;
    }

    private static Urgency of(ComponentRates component, Set<Kind> marks) {
        if (marks.contains(Kind.BOTTLENECK)) {
            return BOTTLENECK;
        }
        if (marks.contains(Kind.DEADLOCK) || marks.contains(Kind.STUCK)) {
            return STUCK;
        }
        if (marks.contains(Kind.HOT_KEY)) {
            return HOT_KEY;
        }
        if (component.isFailing()) {
            return FAILING;
        }
        if (component.now().backPressured()) {
            return BACK_PRESSURED;
        }
        return component.now().spout() ? SPOUT : NONE;
    }
}
