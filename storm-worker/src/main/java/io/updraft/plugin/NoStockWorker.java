package io.updraft.plugin;

/**
 * The messaging that a topology of Updraft's names for Storm's workers: none. A Supervisor without the line for Updraft's worker
 * starts Storm's, which the other workers cannot talk to. So that worker ends, and its log says why.
 */
public final class NoStockWorker {

    /**
     * Refuses; Storm's worker calls it by its name.
     *
     * @throws IllegalStateException always; it names the line that is missing
     */
    public NoStockWorker() {
        throw new IllegalStateException(
                "Updraft's workers run this topology, and this is Storm's worker: storm.yaml of this Supervisor must"
                        + " have supervisor.worker.version.main.map: {\"" + UpdraftValidator.VERSIONS + "\": \""
                        + UpdraftWorker.class.getName() + "\"}");
    }
}
