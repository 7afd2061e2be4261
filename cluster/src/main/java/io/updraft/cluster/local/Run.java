package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import java.util.Set;
import java.util.TreeSet;

/**
 * The plan and the assignment of a topology.
 *
 * @param plan the topology, planned for its workers
 * @param assignment the message that every worker receives
 */
record Run(Plan plan, Assignment assignment) {

    int workers() {
        return plan.workers();
    }

    /** {@return the names of a worker's components, for messages} */
    String componentsOf(int worker) {
        Set<String> names = new TreeSet<>();
        for (ComponentPlan component : plan.components()) {
            for (int executor : component.executors()) {
                ExecutorPlan each = plan.executors().get(executor);
                if (each.worker() == worker) {
                    names.add(component.id());
                }
            }
        }
        return names.isEmpty() ? "no component" : String.join(", ", names);
    }
}
