package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.engine.snapshot.ComponentSnapshot;
import java.time.ZoneId;
import java.util.List;

/**
 * A topology in short. Null stands for what its source does not know.
 *
 * @param name its name
 * @param kind {@code topology}; {@code pipeline} stands for a pipeline
 * @param state its state in a word, such as {@code running}
 * @param condition the same, or what is wrong with it in a word or two, such as {@code deadlock}
 * @param uptimeSeconds the time since its start
 * @param components the number of its components
 * @param executors the number of its executors
 * @param inFlight tuple trees in flight
 * @param errors exceptions of user code since the start
 * @param remarks what is worth saying, the most important first
 * @param workers its workers
 * @param cluster what a Storm cluster knows of it; null for a topology of a run
 */
public record TopologyView(
        String name,
        String kind,
        String state,
        String condition,
        double uptimeSeconds,
        Integer components,
        int executors,
        Long inFlight,
        Long errors,
        List<RemarkView> remarks,
        List<WorkerView> workers,
        @Inlined OfCluster cluster) {
    /**
     * What a Storm cluster knows of a topology.
     *
     * @param id its id
     * @param owner its owner
     * @param workersOf whose workers it has: Storm's or Updraft's
     */
    public record OfCluster(String id, String owner, String workersOf) {}

    /** {@return a topology of a run} */
    public static TopologyView of(TopologySample sample) {
        return of(sample, TopologyRemarks.of(sample, ZoneId.systemDefault()));
    }

    static TopologyView of(TopologySample sample, Remarks remarks) {
        List<ComponentSnapshot> components = sample.now().components();
        return new TopologyView(
                sample.name(),
                "topology",
                sample.state(),
                remarks.state(sample.state()),
                sample.now().uptimeNanos() / 1e9,
                components.size(),
                components.stream().mapToInt(ComponentSnapshot::executors).sum(),
                sample.now().inFlightTrees(),
                components.stream().mapToLong(ComponentSnapshot::errors).sum(),
                remarks.views(),
                sample.workers().stream().map(WorkerView::of).toList(),
                null);
    }
}
