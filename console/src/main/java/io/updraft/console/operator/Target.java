package io.updraft.console.operator;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.UpdraftCluster;
import java.util.Map;
import org.apache.storm.generated.NotAliveException;

/**
 * A living topology.
 *
 * @param name the name by which operators know the topology
 * @param cluster the cluster that runs the topology
 * @param submittedName the name in its cluster: topologies of two clusters may have the same
 */
public record Target(String name, UpdraftCluster cluster, String submittedName) {
    TopologyEngine engine() throws NotAliveException {
        return cluster.engine(submittedName);
    }

    Plan plan() throws NotAliveException {
        return engine().plan();
    }

    Map<String, Object> conf() throws NotAliveException {
        return plan().conf();
    }

    DeadLetterAnswers deadLetters() throws NotAliveException {
        return new DeadLetterAnswers(name, engine());
    }
}
