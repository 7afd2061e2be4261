package io.updraft.cli.view;

import io.updraft.engine.metrics.CallInProgress;
import io.updraft.engine.metrics.HotKey;
import io.updraft.observe.view.Bottleneck;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
    static Map<String, Urgency> of(TopologySample sample) {
        String bottleneck = Bottleneck.of(sample).map(Bottleneck::componentId).orElse(null);
        Set<String> stuck =
                sample.now().calls().stream().map(CallInProgress::component).collect(Collectors.toSet());
        Set<String> hot = sample.now().hotKeys().stream().map(HotKey::to).collect(Collectors.toSet());
        Map<String, Urgency> urgencies = new HashMap<>();
        for (ComponentRates component : sample.components()) {
            String id = component.id();
            urgencies.put(
                    id,
                    id.equals(bottleneck)
                            ? BOTTLENECK
                            : stuck.contains(id) ? STUCK : hot.contains(id) ? HOT_KEY : of(component));
        }
        return urgencies;
    }

    private static Urgency of(ComponentRates component) {
        if (component.isFailing()) {
            return FAILING;
        }
        if (component.now().backPressured()) {
            return BACK_PRESSURED;
        }
        return component.now().spout() ? SPOUT : NONE;
    }
}
