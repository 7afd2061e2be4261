package io.updraft.console.operator;

import io.updraft.engine.plan.Plan;
import io.updraft.storm.UpdraftCluster;
import java.util.Map;
import org.apache.storm.generated.NotAliveException;

/** A topology, in the cluster that runs it. */
record Target(UpdraftCluster cluster, String name) {
    Plan plan() throws NotAliveException {
        return cluster.engine(name).plan();
    }

    Map<String, Object> conf() throws NotAliveException {
        return plan().conf();
    }

    DeadLetterAnswers deadLetters() throws NotAliveException {
        return new DeadLetterAnswers(name, cluster.engine(name));
    }
}
