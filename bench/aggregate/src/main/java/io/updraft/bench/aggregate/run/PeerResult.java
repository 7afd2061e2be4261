package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.peer.Usage;
import java.util.List;
import java.util.Map;

/**
 * One run of a peer.
 *
 * @param title what ran
 * @param settings how it was set up
 * @param problems what is wrong; empty if every result was there once, and right
 * @param measured records of the part that is measured: after the first ones, which warm the JVM up
 * @param from at the beginning of that part
 * @param to when the last result was there
 * @param records of the whole run
 * @param wholeCpuNanos of the process, with its start
 */
public record PeerResult(
        String title,
        Map<String, Object> settings,
        List<String> problems,
        long measured,
        Usage from,
        Usage to,
        long records,
        long wholeCpuNanos) {

    /** {@return whether the run counts} */
    public boolean valid() {
        return problems.isEmpty();
    }

    /** {@return CPU seconds of the process for a million records, of the measured part; NaN if there is none} */
    public double cpuPerMillion() {
        return measured == 0 ? Double.NaN : (to.cpuNanos() - from.cpuNanos()) / 1e3 / measured;
    }

    /** {@return the same of the whole run, with the start of the JVM and its compiler} */
    public double wholeCpuPerMillion() {
        return wholeCpuNanos / 1e3 / records;
    }

    /** {@return records per second of the measured part} */
    public double recordsPerSecond() {
        return measured == 0 ? 0 : measured * 1e3 / Math.max(1, to.millis() - from.millis());
    }

    /** {@return records per CPU second: what one core does} */
    public double recordsPerCore() {
        return 1e6 / cpuPerMillion();
    }

    /** {@return share of the measured time spent collecting garbage} */
    public double gcShare() {
        return (double) (to.gcMillis() - from.gcMillis()) / Math.max(1, to.millis() - from.millis());
    }

    static PeerResult failed(String title, Map<String, Object> settings, List<String> problems, long records) {
        Usage none = new Usage(0, 0, 0, 0, 0, 0);
        return new PeerResult(title, settings, problems, 0, none, none, records, 0);
    }
}
