package io.updraft.observe.metrics;

import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a probe.
 *
 * @param ok whether all is well
 * @param lines why not, or how, and notes that do not count
 */
public record HealthReport(boolean ok, List<String> lines) {
    /** {@return a report that is well without reasons against it} */
    static HealthReport of(String well, List<String> reasons, List<String> notes) {
        List<String> lines = new ArrayList<>(reasons.isEmpty() ? List.of(well) : reasons);
        lines.addAll(notes);
        return new HealthReport(reasons.isEmpty(), lines);
    }
}
