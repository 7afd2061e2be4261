package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.storm.UpdraftCluster;
import java.util.List;

/** Finds the topology of a run that a request is about, also in clusters that the program has made. */
final class Targets {
    private final UpdraftCluster cluster;

    Targets(UpdraftCluster cluster) {
        this.cluster = cluster;
    }

    /** Finds the topology that the member {@code topology} names; it may be missing if there is only one. */
    Target of(JsonObject request) {
        List<Target> all = cluster.clusters().stream()
                .flatMap(each -> each.topologyNames().stream().map(name -> new Target(each, name)))
                .toList();
        Object wanted = request.get("topology");
        List<Target> chosen = all.stream()
                .filter(target -> wanted == null || wanted.equals(target.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    wanted == null ? "no topology is alive in this run" : "there is no topology '" + wanted + "'");
        }
        if (chosen.size() > 1 && wanted == null) {
            throw new IllegalArgumentException("the run has several topologies; add --run NAME: "
                    + String.join(", ", all.stream().map(Target::name).toList()));
        }
        return chosen.get(0);
    }
}
