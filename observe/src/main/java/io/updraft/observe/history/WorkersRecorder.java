package io.updraft.observe.history;

import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.WorkerStatus;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes samples of the worker processes of one topology, of what they have reported. Not thread-safe. */
final class WorkersRecorder {
    private final Map<Long, ProcessRecorder> byPid = new HashMap<>();

    /**
     * Returns the values since the last call. A worker that has not reported since, because it is down or silent, has none. The
     * first values of a process are those since its start.
     */
    Map<HistorySeries, double[]> sample(List<WorkerStatus> workers) {
        Map<HistorySeries, double[]> sample = new LinkedHashMap<>();
        for (WorkerStatus worker : workers) {
            if (worker.usage() != null) {
                ProcessRecorder process =
                        byPid.computeIfAbsent(worker.pid(), started -> new ProcessRecorder(JvmUsage.START));
                if (process.isNew(worker.usage())) {
                    sample.put(ProcessRecorder.worker(worker.worker()), process.sample(worker.usage()));
                }
            }
        }
        byPid.keySet().retainAll(workers.stream().map(WorkerStatus::pid).collect(Collectors.toSet()));
        return sample;
    }
}
