package io.updraft.engine.plan;

import io.updraft.base.conf.ConfReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;
import org.apache.storm.tuple.Fields;

/**
 * Turns a {@link StormTopology} into a {@link Plan}. Numbers tasks and executors as Storm does (components by id, tasks from 1)
 * unless the {@link Assignment} has numbered them. Resolves every subscription and places executors on loops. The same
 * topology, configuration and assignment give the same plan in every process, so workers need not exchange plans.
 */
public final class Planner {

    /** The stream on which every spout emits its dead letters; see {@code updraft.max.replays}. */
    public static final String DEAD_LETTER_STREAM = "__dead_letter";

    /** The fields of {@link #DEAD_LETTER_STREAM}. */
    public static final Fields DEAD_LETTER_FIELDS =
            new Fields("component", "task", "stream", "messageId", "values", "failures", "reason");

    /** The keys whose values are merged over all components, as in Storm. No component has values of its own for them. */
    private static final Set<String> OF_ALL_COMPONENTS =
            Set.of(Config.TOPOLOGY_KRYO_REGISTER, Config.TOPOLOGY_KRYO_DECORATORS);

    private final StormTopology topology;
    private final Map<String, Object> conf;
    private final int loops;
    private final Assignment assignment;
    private final Map<String, ComponentCommon> commons = new TreeMap<>();
    private final Map<String, Map<String, Object>> confs = new HashMap<>();
    private final Map<String, int[]> tasks = new HashMap<>();
    private final Map<String, int[][]> executorTasks = new HashMap<>();

    /** The suppliers of instances of the old plan; empty for a first plan. */
    private final Map<String, Supplier<Object>> made = new HashMap<>();

    private Planner(StormTopology topology, Map<String, Object> conf, int loops, Assignment assignment) {
        this.topology = topology;
        this.conf = conf;
        this.loops = loops;
        this.assignment = assignment;
    }

    /**
     * Plans a topology for a single worker.
     *
     * @param name the topology's name
     * @param id the topology's id
     * @param topology the topology
     * @param conf the whole configuration
     * @param settings the settings parsed from the configuration
     * @return the plan
     * @throws InvalidTopology when the topology cannot run
     */
    public static Plan plan(
            String name, String id, StormTopology topology, Map<String, Object> conf, EngineSettings settings) {
        return plan(name, id, topology, conf, settings, Assignment.even(1));
    }

    /**
     * Plans a topology.
     *
     * @param name the topology's name
     * @param id the topology's id
     * @param topology the topology
     * @param conf the whole configuration
     * @param settings the settings parsed from the configuration
     * @param assignment which worker runs which executor
     * @return the plan
     * @throws InvalidTopology when the topology cannot run
     */
    public static Plan plan(
            String name,
            String id,
            StormTopology topology,
            Map<String, Object> conf,
            EngineSettings settings,
            Assignment assignment) {
        return new Planner(topology, conf, settings.loops(), assignment).plan(name, id);
    }

    /**
     * Plans a topology that runs in one worker again, with other numbers of executors. Tasks keep their numbers, and components
     * keep their suppliers of instances.
     *
     * @param old the plan that the engine runs
     * @param executors the number of executors by component; a component that is missing keeps its number, and no component
     *     gets more executors than it has tasks
     * @return the plan
     * @throws InvalidTopology when there is no such component, a number is less than 1 or there are several workers
     */
    public static Plan replan(Plan old, Map<String, Integer> executors) {
        executors.forEach((component, count) -> checkCount(old.component(component), count));
        if (old.workers() > 1) {
            throw new InvalidTopology("topology '" + old.name() + "' runs in " + old.workers()
                    + " workers: the number of executors can only change while a topology runs in one worker");
        }
        return new Planner(old.topology(), old.conf(), old.loops(), Assignment.even(1)).planAgain(old, executors);
    }

    private static void checkCount(ComponentPlan component, Integer count) {
        if (count == null || count < 1) {
            throw new InvalidTopology(
                    "component '" + component.id() + "' cannot have " + count + " executors: give it at least 1");
        }
    }

    private Plan planAgain(Plan old, Map<String, Integer> executors) {
        findComponents();
        for (ComponentPlan component : old.components()) {
            int count = executors.getOrDefault(component.id(), component.executors().length);
            confs.put(component.id(), component.conf());
            tasks.put(component.id(), component.taskIds());
            made.put(component.id(), component.newInstance());
            executorTasks.put(component.id(), split(component.taskIds(), Math.min(count, component.taskIds().length)));
        }
        return build(old.name(), old.id());
    }

    private void findComponents() {
        topology.get_spouts().forEach((component, spec) -> commons.put(component, spec.get_common()));
        topology.get_bolts().forEach((component, spec) -> commons.put(component, spec.get_common()));
    }

    private Plan plan(String name, String id) {
        findComponents();
        new TopologyCheck(topology, commons).check(name);
        commons.forEach((component, common) -> confs.put(component, componentConf(component, common)));
        confs.forEach(Planner::checkConf);
        numberTasks();
        return build(name, id);
    }

    private Map<String, Object> componentConf(String component, ComponentCommon common) {
        Map<String, Object> merged = new HashMap<>(conf);
        String json = common.get_json_conf();
        if (json != null && !json.isEmpty()) {
            merged.putAll(parseConf(component, json));
            OF_ALL_COMPONENTS.stream().filter(conf::containsKey).forEach(key -> merged.put(key, conf.get(key)));
        }
        return Collections.unmodifiableMap(merged);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> parseConf(String component, String json) {
        try {
            return (Map<String, Object>) JSONValue.parseWithException(json);
        } catch (ParseException | ClassCastException e) {
            throw new InvalidTopology("component '" + component + "': its configuration is not a JSON object", e);
        }
    }

    private void numberTasks() {
        if (!assignment.isEven()) {
            for (String component : commons.keySet()) {
                int[] ids = assignment.tasksOf(component);
                tasks.put(component, ids);
                executorTasks.put(component, assignment.executorsOf(component, ids));
            }
            return;
        }
        int next = 1;
        for (String component : commons.keySet()) {
            int count = taskCount(component);
            int[] ids = IntStream.range(next, next + count).toArray();
            next += count;
            tasks.put(component, ids);
            executorTasks.put(component, split(ids, Math.min(parallelism(component), count)));
        }
    }

    private int parallelism(String component) {
        ComponentCommon common = commons.get(component);
        int hint = common.is_set_parallelism_hint() ? common.get_parallelism_hint() : 1;
        if (hint < 1) {
            throw new InvalidTopology("component '" + component + "' has a parallelism hint of " + hint
                    + ": give it at least 1 executor");
        }
        return hint;
    }

    private int taskCount(String component) {
        int hint = parallelism(component);
        int count = inComponent(component, confs.get(component), Config.TOPOLOGY_TASKS, hint, 1);
        int most = inComponent(
                component, confs.get(component), Config.TOPOLOGY_MAX_TASK_PARALLELISM, Integer.MAX_VALUE, 1);
        return Math.min(count, most);
    }

    /** Checks the values that executors read when they are created, so that wrong values are refused before anything starts. */
    private static void checkConf(String component, Map<String, Object> conf) {
        inComponent(component, conf, Config.TOPOLOGY_MAX_SPOUT_PENDING, 0, 0);
        inComponent(component, conf, Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 0, 0);
    }

    private static int inComponent(String component, Map<String, Object> conf, String key, int fallback, int atLeast) {
        return new ConfReader(conf, message -> new InvalidTopology("component '" + component + "': " + message))
                .integer(key, fallback, atLeast);
    }

    /** Splits the ids into contiguous ranges of equal size, give or take one; the longer ranges come first, as in Storm. */
    private static int[][] split(int[] ids, int parts) {
        int[][] ranges = new int[parts][];
        int from = 0;
        for (int i = 0; i < parts; i++) {
            int size = ids.length / parts + (i < ids.length % parts ? 1 : 0);
            ranges[i] = Arrays.copyOfRange(ids, from, from + size);
            from += size;
        }
        return ranges;
    }

    private Plan build(String name, String id) {
        List<Placement> placements = executorCounts().stream()
                .map(own -> new Placement(commons, own, loops))
                .toList();
        List<ComponentPlan> components = new ArrayList<>();
        List<ExecutorPlan> executors = new ArrayList<>();
        for (Map.Entry<String, ComponentCommon> entry : commons.entrySet()) {
            String component = entry.getKey();
            int index = components.size();
            int[] own = new int[executorTasks.get(component).length];
            int[] before = new int[assignment.workers()];
            for (int i = 0; i < own.length; i++) {
                own[i] = executors.size();
                int[] ids = executorTasks.get(component)[i];
                int worker = assignment.workerOf(own[i], ids[0]);
                int loop = placements.get(worker).loopOf(component, before[worker]++);
                executors.add(new ExecutorPlan(own[i], index, ids, worker, loop));
            }
            components.add(component(index, component, entry.getValue(), own));
        }
        return new Plan(
                name,
                id,
                Collections.unmodifiableMap(conf),
                topology,
                List.copyOf(components),
                List.copyOf(executors),
                taskToExecutor(executors),
                assignment.workers(),
                loops);
    }

    /** Counts the executors of each component for each worker. */
    private List<Map<String, Integer>> executorCounts() {
        List<Map<String, Integer>> counts = new ArrayList<>();
        for (int worker = 0; worker < assignment.workers(); worker++) {
            counts.add(new HashMap<>());
        }
        int executor = 0;
        for (String component : commons.keySet()) {
            for (int[] ids : executorTasks.get(component)) {
                counts.get(assignment.workerOf(executor++, ids[0])).merge(component, 1, Integer::sum);
            }
        }
        return counts;
    }

    private ComponentPlan component(int index, String id, ComponentCommon common, int[] executors) {
        boolean spout = topology.get_spouts().containsKey(id);
        return new ComponentPlan(
                index,
                id,
                spout,
                confs.get(id),
                made.containsKey(id) ? made.get(id) : instances(id, spout),
                streams(id, common, spout),
                Map.copyOf(common.get_inputs()),
                tasks.get(id),
                executors);
    }

    private Supplier<Object> instances(String id, boolean spout) {
        ComponentObject object = spout
                ? topology.get_spouts().get(id).get_spout_object()
                : topology.get_bolts().get(id).get_bolt_object();
        return new ComponentFactory(id, spout, object).tried();
    }

    private List<StreamPlan> streams(String component, ComponentCommon common, boolean spout) {
        List<StreamPlan> streams = new ArrayList<>();
        new TreeMap<>(common.get_streams())
                .forEach((stream, info) ->
                        streams.add(stream(component, stream, new Fields(info.get_output_fields()), info.is_direct())));
        if (spout) {
            streams.add(stream(component, DEAD_LETTER_STREAM, DEAD_LETTER_FIELDS, false));
        }
        return List.copyOf(streams);
    }

    private StreamPlan stream(String component, String stream, Fields fields, boolean direct) {
        GlobalStreamId wanted = new GlobalStreamId(component, stream);
        List<SubscriptionPlan> subscriptions = new ArrayList<>();
        commons.forEach((target, common) -> {
            Grouping grouping = common.get_inputs().get(wanted);
            if (grouping != null) {
                subscriptions.add(new SubscriptionPlan(target, tasks.get(target), grouping));
            }
        });
        return new StreamPlan(component, stream, fields, direct, List.copyOf(subscriptions));
    }

    private static int[] taskToExecutor(List<ExecutorPlan> executors) {
        int last = executors.stream()
                .mapToInt(executor -> executor.taskIds()[executor.taskIds().length - 1])
                .max()
                .orElse(0);
        int[] map = new int[last + 1];
        Arrays.fill(map, -1);
        for (ExecutorPlan executor : executors) {
            for (int task : executor.taskIds()) {
                map[task] = executor.index();
            }
        }
        return map;
    }
}
