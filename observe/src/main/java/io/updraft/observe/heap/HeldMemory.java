package io.updraft.observe.heap;

import java.util.List;

/**
 * The heap that one task's instance of a component holds, as an estimate. What several tasks share counts for the first one.
 *
 * @param component the component
 * @param task the task
 * @param type the class of the instance
 * @param bytes the sum of the fields' sizes
 * @param fields the fields, the largest first
 */
public record HeldMemory(String component, int task, String type, long bytes, List<HeldField> fields) {
    /** {@return the largest field, or null if there is none} */
    public HeldField largest() {
        return fields.isEmpty() ? null : fields.get(0);
    }
}
