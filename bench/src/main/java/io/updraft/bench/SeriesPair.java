package io.updraft.bench;

import io.updraft.bench.spec.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One shape's series on Updraft and, if measured, on another runtime.
 *
 * @param peer the other runtime's series, or null
 */
record SeriesPair(Series updraft, Series peer) {

    static SeriesPair of(List<Series> one) {
        return new SeriesPair(one.get(0), one.size() > 1 ? one.get(1) : null);
    }

    boolean compared() {
        return peer != null;
    }

    boolean valid() {
        return all().allMatch(Series::valid);
    }

    Stream<Series> all() {
        return peer == null ? Stream.of(updraft) : Stream.of(updraft, peer);
    }

    /** {@return Updraft's messages per second divided by the peer's; NaN without a peer} */
    double ratio() {
        return peer == null ? Double.NaN : updraft.messagesPerSecond().ratioTo(peer.messagesPerSecond());
    }

    /** {@return the peer's CPU time per message divided by Updraft's; NaN without a peer} */
    double cpuRatio() {
        return ofPeer(SeriesPair::cpuPerMessage) / cpuPerMessage(updraft);
    }

    private static double cpuPerMessage(Series series) {
        return series.of(RunResult::cpuSecondsPerMillion).median();
    }

    /** {@return a value of the peer's series; NaN without a peer} */
    double ofPeer(ToDoubleFunction<Series> value) {
        return peer == null ? Double.NaN : value.applyAsDouble(peer);
    }
}
