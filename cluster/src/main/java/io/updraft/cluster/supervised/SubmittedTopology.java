package io.updraft.cluster.supervised;

import io.updraft.storm.instrument.SystemComponents;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.supervisor.AdvancedFSOps;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ConfigUtils;

/**
 * A topology as a Supervisor has downloaded it. The topology includes those of Storm's system components that this engine runs
 * too; the tasks are those of all components, with Nimbus' numbers.
 */
record SubmittedTopology(
        String name, Map<String, Object> conf, StormTopology topology, Map<Integer, String> componentOfTask) {

    static SubmittedTopology read(Map<String, Object> supervisors, String topologyId)
            throws IOException, InvalidTopologyException {
        Map<String, Object> conf = ConfigUtils.overrideLoginConfigWithSystemProperty(
                ConfigUtils.readSupervisorStormConf(supervisors, topologyId));
        // Workers may always write to Pacemaker, as in Storm (STORM-3728).
        conf.put(Config.PACEMAKER_AUTH_METHOD, "NONE");
        StormTopology submitted =
                ConfigUtils.readSupervisorTopology(supervisors, topologyId, AdvancedFSOps.make(supervisors));
        return new SubmittedTopology(
                String.valueOf(conf.get(Config.TOPOLOGY_NAME)),
                conf,
                SystemComponents.addTo(submitted, conf),
                new TreeMap<>(StormCommon.stormTaskInfo(submitted, conf)));
    }
}
