package io.updraft.storm.instrument;

import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.metric.api.IMetric;

/**
 * The older metrics that one context has registered: by interval, task and name.
 *
 * @param byInterval filled by {@link TopologyContext}; read on the thread of the task
 */
record RegisteredMetrics(Map<Integer, Map<Integer, Map<String, IMetric>>> byInterval) {

    public Map<String, IMetric> of(int interval, int taskId) {
        return byInterval.getOrDefault(interval, Map.of()).getOrDefault(taskId, Map.of());
    }

    public Iterable<Integer> intervals() {
        return new TreeMap<>(byInterval).keySet();
    }
}
