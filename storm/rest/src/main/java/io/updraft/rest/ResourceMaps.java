package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.SupervisorSummary;

/** Resources by name, as Nimbus reports them. */
final class ResourceMaps {
    private static final Set<String> NAMED = Set.of(
            Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME,
            Constants.COMMON_OFFHEAP_MEMORY_RESOURCE_NAME,
            Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME,
            Constants.COMMON_CPU_RESOURCE_NAME);

    private ResourceMaps() {}

    /** {@return the resources other than memory and CPU, such as {@code gpu.count=1.0 network=10.0}; null for null} */
    public static String generic(Map<String, Double> resources) {
        if (resources == null) {
            return null;
        }
        return resources.entrySet().stream()
                .filter(entry -> !NAMED.contains(entry.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    public static double memory(SupervisorSummary supervisor) {
        return total(supervisor, Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME, Config.SUPERVISOR_MEMORY_CAPACITY_MB);
    }

    public static double cpu(SupervisorSummary supervisor) {
        return total(supervisor, Constants.COMMON_CPU_RESOURCE_NAME, Config.SUPERVISOR_CPU_CAPACITY);
    }

    private static double total(SupervisorSummary supervisor, String name, String formerName) {
        Map<String, Double> total = orEmpty(supervisor.get_total_resources());
        return total.getOrDefault(name, total.getOrDefault(formerName, 0.0));
    }

    public static Map<String, Double> sum(Map<String, Double> one, Map<String, Double> other) {
        Map<String, Double> sum = new HashMap<>(orEmpty(one));
        orEmpty(other).forEach((name, amount) -> sum.merge(name, amount, Double::sum));
        return sum;
    }

    public static Map<String, Double> difference(Map<String, Double> total, Map<String, Double> used) {
        Map<String, Double> left = new HashMap<>(orEmpty(total));
        orEmpty(used).forEach((name, amount) -> left.computeIfPresent(name, (key, whole) -> whole - amount));
        return left;
    }

    public static void putRequested(JsonObject answer, Map<String, Double> resources) {
        Map<String, Double> amounts = orEmpty(resources);
        answer.put("requestedMemOnHeap", amounts.get(Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME));
        answer.put("requestedMemOffHeap", amounts.get(Constants.COMMON_OFFHEAP_MEMORY_RESOURCE_NAME));
        answer.put("requestedCpu", amounts.get(Constants.COMMON_CPU_RESOURCE_NAME));
    }

    private static Map<String, Double> orEmpty(Map<String, Double> resources) {
        return resources == null ? Map.of() : resources;
    }
}
