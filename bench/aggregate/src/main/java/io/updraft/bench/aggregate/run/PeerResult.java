package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.peer.PeerMain;
import io.updraft.bench.aggregate.peer.PeerUsage;
import java.util.List;

/**
 * The result of one run of a peer.
 *
 * @param peer the name and version of the peer, and its settings
 * @param problems the problems; empty if every result arrived once and is right
 * @param measured the number of records in the measurement, which starts after the warm-up
 * @param from the usage at the beginning of the measurement
 * @param to the usage when the last result had arrived
 * @param records the number of records of the whole run
 * @param wholeCpuNanos CPU time of the process including its start, in nanoseconds
 */
public record PeerResult(
        PeerMain.Started peer,
        List<String> problems,
        long measured,
        PeerUsage from,
        PeerUsage to,
        long records,
        long wholeCpuNanos) {

    /** {@return whether the run has no problems} */
    public boolean valid() {
        return problems.isEmpty();
    }

    /** {@return CPU seconds of the process per million records of the measurement; NaN if it has no records} */
    public double cpuPerMillion() {
        return measured == 0 ? Double.NaN : (to.cpuNanos() - from.cpuNanos()) / 1e3 / measured;
    }

    /** {@return CPU seconds per million records of the whole run, including the JVM's start and compilation} */
    public double wholeCpuPerMillion() {
        return wholeCpuNanos / 1e3 / records;
    }

    /** {@return records per second of the measurement} */
    public double recordsPerSecond() {
        return measured == 0 ? 0 : measured * 1e3 / Math.max(1, to.millis() - from.millis());
    }

    /** {@return records per CPU second, which is the throughput of one core} */
    public double recordsPerCore() {
        return 1e6 / cpuPerMillion();
    }

    /** {@return the fraction of the measurement's time spent on garbage collection} */
    public double gcShare() {
        return (double) (to.gcMillis() - from.gcMillis()) / Math.max(1, to.millis() - from.millis());
    }

    static PeerResult failed(PeerMain.Started peer, List<String> problems, long records) {
        PeerUsage none = new PeerUsage(0, 0, 0, 0);
        return new PeerResult(peer, problems, 0, none, none, records, 0);
    }
}
