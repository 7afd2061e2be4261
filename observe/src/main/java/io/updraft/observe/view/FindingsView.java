package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.base.json.JsonObject;
import java.util.Arrays;
import java.util.List;

/**
 * A topology as a whole over an interval: its state, and what is wrong.
 *
 * @param topology the topology in short
 * @param intervalSeconds the length of the interval
 * @param loopBusy the busy share of each event loop, from 0 to 1
 * @param bottleneck what limits the topology, in one line; null if nothing does
 * @param advice what would change that; null if that is not known
 * @param lastSeen the messages that are in flight for long or have timed out
 */
public record FindingsView(
        @Inlined TopologyView topology,
        double intervalSeconds,
        List<Double> loopBusy,
        String bottleneck,
        JsonObject advice,
        List<MessageView> lastSeen) {

    static FindingsView of(TopologySample sample, Remarks remarks, JsonObject advice) {
        return new FindingsView(
                TopologyView.of(sample, remarks),
                sample.seconds(),
                Arrays.stream(sample.loopBusy()).boxed().toList(),
                Bottleneck.of(sample).map(Bottleneck::verdict).orElse(null),
                advice,
                sample.now().lastSeen().stream()
                        .map(seen -> MessageView.of(seen, sample.now()))
                        .toList());
    }
}
