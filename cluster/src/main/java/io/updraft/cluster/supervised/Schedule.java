package io.updraft.cluster.supervised;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.engine.plan.Assignment;
import io.updraft.transport.Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.NodeInfo;

/**
 * An assignment made by Nimbus: the workers of a topology, each with its executors. Immutable.
 *
 * <p>A worker is identified by its executors: it keeps its number when it moves to another slot. Workers are numbered by their
 * first task. The tasks that have no slot at the moment form one more worker, which cannot be reached.
 */
record Schedule(List<ScheduledWorker> workers, Map<String, String> hosts, Map<Integer, NodeInfo> slots) {
    /**
     * A worker of the topology: its executors, the slot in which it runs, or null, and when Nimbus assigned it, in seconds since the
     * epoch.
     */
    record ScheduledWorker(SortedSet<ExecutorInfo> executors, SupervisorSlot slot, long startSecs) {
        int firstTask() {
            return executors.first().get_task_start();
        }
    }

    /** Converts an assignment of Nimbus; {@code tasks} are all tasks of the topology. */
    static Schedule of(org.apache.storm.generated.Assignment assignment, Collection<Integer> tasks) {
        Map<SupervisorSlot, SortedSet<ExecutorInfo>> executors = new HashMap<>();
        Map<SupervisorSlot, Long> starts = new HashMap<>();
        Map<Integer, NodeInfo> slots = new HashMap<>();
        SortedSet<ExecutorInfo> without = new TreeSet<>();
        assignment.get_executor_node_port().forEach((range, place) -> {
            ExecutorInfo executor =
                    new ExecutorInfo(range.get(0).intValue(), range.get(1).intValue());
            executors
                    .computeIfAbsent(SupervisorSlot.of(place), slot -> new TreeSet<>())
                    .add(executor);
            starts.merge(
                    SupervisorSlot.of(place),
                    assignment.get_executor_start_time_secs().getOrDefault(range, 0L),
                    Math::max);
            tasksOf(executor).forEach(task -> slots.put(task, place));
        });
        tasks.stream()
                .filter(task -> !slots.containsKey(task))
                .forEach(task -> without.add(new ExecutorInfo(task, task)));
        List<ScheduledWorker> workers = new ArrayList<>();
        executors.forEach(
                (slot, executorsOfSlot) -> workers.add(new ScheduledWorker(executorsOfSlot, slot, starts.get(slot))));
        if (!without.isEmpty()) {
            workers.add(new ScheduledWorker(without, null, 0));
        }
        workers.sort(Comparator.comparingInt(ScheduledWorker::firstTask));
        return new Schedule(List.copyOf(workers), Map.copyOf(assignment.get_node_host()), Map.copyOf(slots));
    }

    private static IntStream tasksOf(ExecutorInfo executor) {
        return IntStream.rangeClosed(executor.get_task_start(), executor.get_task_end());
    }

    Optional<ScheduledWorker> workerAt(SupervisorSlot slot) {
        return workers.stream().filter(worker -> slot.equals(worker.slot())).findFirst();
    }

    int numberOf(ScheduledWorker worker) {
        return workers.indexOf(worker);
    }

    static List<Integer> tasksOf(ScheduledWorker worker) {
        return worker.executors().stream()
                .flatMap(executor -> tasksOf(executor).boxed())
                .toList();
    }

    Assignment assignment(Map<Integer, String> componentOfTask) {
        Map<Integer, Integer> workerOfExecutor = new TreeMap<>();
        for (int number = 0; number < workers.size(); number++) {
            for (ExecutorInfo executor : workers.get(number).executors()) {
                workerOfExecutor.put(executor.get_task_start(), number);
            }
        }
        return Assignment.of(componentOfTask, workerOfExecutor, workers.size());
    }

    long workersOn(String node) {
        return workers.stream()
                .filter(worker -> worker.slot() != null && worker.slot().node().equals(node))
                .count();
    }

    /**
     * Returns whether a later schedule has the same workers, in any slots. A worker that has no slot at the moment may be
     * missing in the later schedule. Either it comes back, or its executors go to other workers in a schedule that does not
     * fit.
     */
    boolean fits(Schedule later) {
        Set<SortedSet<ExecutorInfo>> scheduled = new HashSet<>();
        workers.forEach(worker -> scheduled.add(worker.executors()));
        return later.workers.stream()
                .filter(worker -> worker.slot() != null)
                .allMatch(worker -> scheduled.contains(worker.executors()));
    }

    /** Returns the addresses that the workers of this schedule have in a later schedule that fits. */
    List<PeerAddress> peersIn(Schedule later) {
        List<PeerAddress> peers = new ArrayList<>();
        for (ScheduledWorker worker : later.workers) {
            int number = IntStream.range(0, workers.size())
                    .filter(i -> workers.get(i).executors().equals(worker.executors()))
                    .findFirst()
                    .orElse(-1);
            if (number >= 0 && worker.slot() != null) {
                String host = later.hosts.get(worker.slot().node());
                Address at = new Address(host, worker.slot().port());
                peers.add(new PeerAddress(number, worker.startSecs(), new Endpoints(host, at, at)));
            }
        }
        return peers;
    }

    /** Returns a name for the grouping of executors into workers. All workers that can work together have the same grouping. */
    String grouping() {
        StringBuilder text = new StringBuilder();
        workers.forEach(worker -> text.append(worker.executors()).append(';'));
        return Integer.toHexString(text.toString().hashCode());
    }

    /** A slot for a worker: the id of the Supervisor, and the port of the slot. */
    record SupervisorSlot(String node, int port) {
        static SupervisorSlot of(NodeInfo info) {
            return new SupervisorSlot(
                    info.get_node(), info.get_port().iterator().next().intValue());
        }
    }
}
