package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;

/** Plans made by hand, one executor per component, for tests that need a plan and no engine. */
public final class TestPlans {
    private TestPlans() {}

    public static Plan of(StormTopology topology, Map<String, Object> conf) {
        Map<String, ComponentCommon> commons = new TreeMap<>();
        topology.get_spouts().forEach((id, spout) -> commons.put(id, spout.get_common()));
        topology.get_bolts().forEach((id, bolt) -> commons.put(id, bolt.get_common()));
        Map<String, Object> whole = new HashMap<>(Utils.readDefaultConfig());
        whole.putAll(conf);
        List<ComponentPlan> components = new ArrayList<>();
        List<ExecutorPlan> executors = new ArrayList<>();
        int nextTask = 1;
        for (Map.Entry<String, ComponentCommon> entry : commons.entrySet()) {
            int index = components.size();
            ComponentCommon common = entry.getValue();
            int hint = common.is_set_parallelism_hint() ? common.get_parallelism_hint() : 1;
            int[] tasks = IntStream.range(nextTask, nextTask + hint).toArray();
            nextTask += hint;
            boolean spout = topology.get_spouts().containsKey(entry.getKey());
            components.add(component(index, entry.getKey(), spout, whole, common, tasks));
            executors.add(new ExecutorPlan(index, index, tasks, 0, 0));
        }
        return new Plan("test", "test-1-0", whole, topology, components, executors, new int[nextTask], 1, 1);
    }

    private static ComponentPlan component(
            int index, String id, boolean spout, Map<String, Object> conf, ComponentCommon common, int[] tasks) {
        List<StreamPlan> outputs = new ArrayList<>();
        common.get_streams()
                .forEach((stream, info) -> outputs.add(
                        new StreamPlan(id, stream, new Fields(info.get_output_fields()), info.is_direct(), List.of())));
        return new ComponentPlan(
                index, id, spout, conf, Object::new, outputs, common.get_inputs(), tasks, new int[] {index});
    }
}
