package io.updraft.storm.cluster;

import io.updraft.engine.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.VersionInfo;

/**
 * Summaries of a cluster as Storm's Thrift structures: one host, one supervisor, one leader, and one worker for each topology.
 */
public final class ClusterSummaries {

    /** The host name of everything embedded in this process. */
    public static final String HOST = "localhost";

    /** The id of the only supervisor. */
    static final String SUPERVISOR = "updraft";

    private ClusterSummaries() {}

    static TopologySummary of(EmbeddedTopology topology) {
        Plan plan = topology.engine().plan();
        TopologySummary summary = new TopologySummary(
                topology.id(),
                topology.name(),
                tasksOf(plan),
                plan.executors().size(),
                plan.workers(),
                TopologyInfos.secondsOf(topology.engine().snapshot()),
                topology.status());
        summary.set_storm_version(topology.topology().get_storm_version());
        summary.set_owner(ownerOf(topology));
        return summary;
    }

    static List<TopologySummary> of(List<EmbeddedTopology> topologies) {
        List<TopologySummary> summaries = new ArrayList<>();
        topologies.forEach(topology -> summaries.add(of(topology)));
        return summaries;
    }

    static ClusterSummary ofCluster(List<EmbeddedTopology> topologies, NimbusAddress nimbus, int uptimeSecs) {
        int workers = topologies.size();
        SupervisorSummary supervisor = new SupervisorSummary(HOST, uptimeSecs, workers, workers, SUPERVISOR);
        supervisor.set_version(VersionInfo.getVersion());
        return new ClusterSummary(
                new ArrayList<>(List.of(supervisor)),
                of(topologies),
                new ArrayList<>(List.of(leader(nimbus, uptimeSecs))));
    }

    /** Returns the leader, which Storm's clients request and then connect to. */
    static NimbusSummary leader(NimbusAddress nimbus, int uptimeSecs) {
        NimbusSummary leader =
                new NimbusSummary(nimbus.host(), nimbus.port(), uptimeSecs, true, VersionInfo.getVersion());
        leader.set_tlsPort(nimbus.tlsPort());
        return leader;
    }

    /** Returns the resources in use by owner of topologies: of one owner, or of all if {@code owner} is null or empty. */
    static List<OwnerResourceSummary> ofOwners(List<EmbeddedTopology> topologies, String owner) {
        Map<String, OwnerResourceSummary> owners = new TreeMap<>();
        for (EmbeddedTopology topology : topologies) {
            String name = ownerOf(topology);
            if (owner == null || owner.isEmpty() || owner.equals(name)) {
                add(
                        owners.computeIfAbsent(name, OwnerResourceSummary::new),
                        topology.engine().plan());
            }
        }
        return new ArrayList<>(owners.values());
    }

    private static void add(OwnerResourceSummary owner, Plan plan) {
        owner.set_total_topologies(owner.get_total_topologies() + 1);
        owner.set_total_workers(owner.get_total_workers() + plan.workers());
        owner.set_total_executors(owner.get_total_executors() + plan.executors().size());
        owner.set_total_tasks(owner.get_total_tasks() + tasksOf(plan));
    }

    static String ownerOf(EmbeddedTopology topology) {
        return (String) topology.conf().get(Config.TOPOLOGY_SUBMITTER_USER);
    }

    static int tasksOf(Plan plan) {
        return plan.components().stream()
                .mapToInt(component -> component.taskIds().length)
                .sum();
    }
}
