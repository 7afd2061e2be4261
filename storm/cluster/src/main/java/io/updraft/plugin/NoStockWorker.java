package io.updraft.plugin;

/**
 * The messaging class that Updraft's topologies name for Storm's own workers; it always throws. A Supervisor whose
 * {@code storm.yaml} lacks the line for Updraft's worker starts Storm's worker, which the other workers cannot talk to. This
 * class ends that worker, and the worker's log says why.
 */
public final class NoStockWorker {

    /**
     * Throws; Storm's worker creates this class by its name.
     *
     * @throws IllegalStateException always; the message names the missing line
     */
    public NoStockWorker() {
        throw new IllegalStateException(
                "Updraft's workers run this topology, but this is Storm's worker: storm.yaml of this Supervisor must"
                        + " have supervisor.worker.version.main.map: {\""
                        + UpdraftValidator.versionKey() + "\": \""
                        + UpdraftWorker.class.getName() + "\"}");
    }
}
