package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.observe.process.FullHeap;
import io.updraft.observe.process.WorkerStatus;
import java.util.Locale;

/**
 * A worker of a topology.
 *
 * @param worker its number, or host and port in a Storm cluster
 * @param pid its process; host and port in a Storm cluster
 * @param state its state in a word
 * @param process what its coordinator knows; null in a Storm cluster
 */
public record WorkerView(
        Object worker, Object pid, String state, @Inlined Process process) {
    /**
     * What a coordinator knows of the process of a worker.
     *
     * @param restarts how often it was restarted
     * @param heapUsedBytes heap in use; null if it has not reported
     * @param heapMaxBytes the largest size of the heap; null if it has not reported
     * @param heapFull that the heap stays nearly full after collections, and who holds it; null if it does not
     * @param lastEnd why the last ended process ended; null if none has
     */
    public record Process(int restarts, Long heapUsedBytes, Long heapMaxBytes, FullHeap heapFull, String lastEnd) {}

    static WorkerView of(WorkerStatus status) {
        return new WorkerView(
                status.worker(),
                status.pid(),
                status.state().name().toLowerCase(Locale.ROOT),
                new Process(
                        status.restarts(),
                        status.usage() == null ? null : status.usage().heapUsedBytes(),
                        status.usage() == null ? null : status.usage().heapMaxBytes(),
                        status.full(),
                        status.lastEnd()));
    }
}
