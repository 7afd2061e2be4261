package io.updraft.storm;

import io.updraft.engine.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.VersionInfo;

/** What a cluster says about itself in Storm's words: one host, one supervisor, one leader, a worker per topology. */
final class Summaries {

    /** The name under which everything embedded appears where Storm names a host. */
    static final String HOST = "localhost";

    private static final int NIMBUS_PORT = 6627;

    private Summaries() {}

    static TopologySummary of(RunningTopology topology) {
        Plan plan = topology.engine().plan();
        TopologySummary summary = new TopologySummary(
                topology.id(),
                topology.name(),
                tasksOf(plan),
                plan.executors().size(),
                plan.workers(),
                uptimeSecs(topology),
                topology.status());
        summary.set_storm_version(topology.topology().get_storm_version());
        summary.set_owner((String) topology.conf().get(Config.TOPOLOGY_SUBMITTER_USER));
        return summary;
    }

    static List<TopologySummary> of(List<RunningTopology> topologies) {
        List<TopologySummary> summaries = new ArrayList<>();
        topologies.forEach(topology -> summaries.add(of(topology)));
        return summaries;
    }

    static ClusterSummary ofCluster(List<RunningTopology> topologies, int uptimeSecs) {
        int workers = topologies.size();
        SupervisorSummary supervisor = new SupervisorSummary(HOST, uptimeSecs, workers, workers, "updraft");
        supervisor.set_version(VersionInfo.getVersion());
        return new ClusterSummary(
                new ArrayList<>(List.of(supervisor)), of(topologies), new ArrayList<>(List.of(leader(uptimeSecs))));
    }

    /** The leader that Storm's clients ask for; nothing listens on its port. */
    static NimbusSummary leader(int uptimeSecs) {
        return new NimbusSummary(HOST, NIMBUS_PORT, uptimeSecs, true, VersionInfo.getVersion());
    }

    static int uptimeSecs(RunningTopology topology) {
        return (int) TimeUnit.NANOSECONDS.toSeconds(topology.engine().snapshot().uptimeNanos());
    }

    private static int tasksOf(Plan plan) {
        return plan.components().stream()
                .mapToInt(component -> component.taskIds().length)
                .sum();
    }
}
