package io.updraft.flux;

import io.updraft.base.text.Spelling;
import io.updraft.flux.TopologySpec.StreamSpec;
import io.updraft.flux.TopologySpec.VertexSpec;
import io.updraft.storm.ProgramInputException;
import io.updraft.storm.yaml.Mistakes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.hooks.IWorkerHook;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.ComponentConfigurationDeclarer;
import org.apache.storm.topology.IBasicBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.topology.IStatefulWindowedBolt;
import org.apache.storm.topology.IWindowedBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** Builds a topology from its description. */
final class TopologyAssembler {
    private final TopologySpec spec;
    private final Mistakes mistakes;
    private final ObjectFactory objects;

    TopologyAssembler(TopologySpec spec, Mistakes mistakes, ClassLoader loader) {
        this.spec = spec;
        this.mistakes = mistakes;
        this.objects = new ObjectFactory(loader);
    }

    /** Checks everything that can be checked without classes, then builds the topology. */
    StormTopology assemble() {
        check();
        if (mistakes.any()) {
            throw new ProgramInputException(mistakes.sorted().stream()
                    .map(mistake -> mistake.where() + ": " + mistake.message())
                    .collect(Collectors.joining("\n")));
        }
        spec.components.values().forEach(objects::component);
        return spec.source == null ? described() : supplied();
    }

    private void check() {
        if (spec.name == null || spec.name.isBlank()) {
            mistakes.add(spec.where, "a topology needs 'name'");
        }
        boolean described = !spec.spouts.isEmpty() || !spec.bolts.isEmpty() || !spec.streams.isEmpty();
        if (spec.source != null && described) {
            mistakes.add(
                    spec.source.where(), "a topology must have either 'topologySource', or spouts, bolts and streams");
        } else if (spec.source == null && spec.spouts.isEmpty()) {
            mistakes.add(spec.where, "a topology needs 'spouts', or a 'topologySource'");
        }
        spec.bolts.forEach((id, bolt) -> {
            if (spec.spouts.containsKey(id)) {
                mistakes.add(bolt.where(), "'" + id + "' is already the id of a spout");
            }
        });
        spec.streams.forEach(this::check);
    }

    private void check(StreamSpec stream) {
        if (!spec.bolts.containsKey(stream.to())) {
            String why = spec.spouts.containsKey(stream.to()) ? "a spout has no input: '" : "there is no bolt '";
            mistakes.add(stream.where(), why + stream.to() + "'" + Spelling.instead(stream.to(), spec.bolts.keySet()));
        }
        if (!spec.bolts.containsKey(stream.source()) && !spec.spouts.containsKey(stream.source())) {
            List<String> all = new ArrayList<>(spec.spouts.keySet());
            all.addAll(spec.bolts.keySet());
            mistakes.add(
                    stream.where(),
                    "there is no spout or bolt '" + stream.source() + "'" + Spelling.instead(stream.source(), all));
        }
    }

    private StormTopology described() {
        TopologyBuilder builder = new TopologyBuilder();
        for (VertexSpec spout : spec.spouts.values()) {
            load(
                    spout,
                    builder.setSpout(
                            spout.id(),
                            objects.make(spout.object(), IRichSpout.class, "a spout"),
                            spout.parallelism()));
        }
        Map<String, BoltDeclarer> bolts = bolts(builder);
        for (StreamSpec stream : spec.streams) {
            subscribe(bolts.get(stream.to()), stream);
        }
        for (ObjectSpec hook : spec.workerHooks.values()) {
            builder.addWorkerHook(objects.make(hook, IWorkerHook.class, "a worker hook"));
        }
        return builder.createTopology();
    }

    /** Declares the bolts. A bolt without an input stream is left out, as in Flux, but with a warning. */
    private Map<String, BoltDeclarer> bolts(TopologyBuilder builder) {
        Map<String, BoltDeclarer> bolts = new LinkedHashMap<>();
        for (VertexSpec bolt : spec.bolts.values()) {
            if (spec.streams.stream().anyMatch(stream -> stream.to().equals(bolt.id()))) {
                BoltDeclarer declarer = declare(builder, bolt, objects.make(bolt.object(), Object.class, "a bolt"));
                load(bolt, declarer);
                bolts.put(bolt.id(), declarer);
            } else {
                mistakes.warn(bolt.where(), "bolt '" + bolt.id() + "' is left out: no stream has it as 'to'");
            }
        }
        return bolts;
    }

    private static BoltDeclarer declare(TopologyBuilder builder, VertexSpec spec, Object bolt) {
        String id = spec.id();
        int parallelism = spec.parallelism();
        if (bolt instanceof IRichBolt rich) {
            return builder.setBolt(id, rich, parallelism);
        }
        if (bolt instanceof IBasicBolt basic) {
            return builder.setBolt(id, basic, parallelism);
        }
        if (bolt instanceof IStatefulWindowedBolt<?> statefulWindowed) {
            return builder.setBolt(id, statefulWindowed, parallelism);
        }
        if (bolt instanceof IWindowedBolt windowed) {
            return builder.setBolt(id, windowed, parallelism);
        }
        if (bolt instanceof IStatefulBolt<?> stateful) {
            return builder.setBolt(id, stateful, parallelism);
        }
        throw new ProgramInputException(spec.where() + ": " + bolt.getClass().getName()
                + " is not a bolt: it must implement IRichBolt, IBasicBolt, IWindowedBolt or IStatefulBolt");
    }

    private static void load(VertexSpec spec, ComponentConfigurationDeclarer<?> declarer) {
        OptionalInt onHeap = spec.onHeapMiB();
        if (onHeap.isPresent() && spec.offHeapMiB().isPresent()) {
            declarer.setMemoryLoad(onHeap.getAsInt(), spec.offHeapMiB().getAsInt());
        } else if (onHeap.isPresent()) {
            declarer.setMemoryLoad(onHeap.getAsInt());
        }
        spec.cpu().ifPresent(declarer::setCPULoad);
        spec.tasks().ifPresent(declarer::setNumTasks);
    }

    private void subscribe(BoltDeclarer bolt, StreamSpec stream) {
        String source = stream.source();
        String id = stream.streamId();
        switch (stream.grouping()) {
            case SHUFFLE -> bolt.shuffleGrouping(source, id);
            case LOCAL_OR_SHUFFLE -> bolt.localOrShuffleGrouping(source, id);
            case FIELDS -> bolt.fieldsGrouping(source, id, new Fields(stream.fields()));
            case ALL -> bolt.allGrouping(source, id);
            case GLOBAL -> bolt.globalGrouping(source, id);
            case NONE -> bolt.noneGrouping(source, id);
            case DIRECT -> bolt.directGrouping(source, id);
            case CUSTOM ->
                bolt.customGrouping(
                        source, id, objects.make(stream.custom(), CustomStreamGrouping.class, "a custom grouping"));
            default -> throw new IllegalStateException("unknown grouping " + stream.grouping());
        }
    }

    /** Returns the topology that a class of the user builds, for example a Trident topology. */
    private StormTopology supplied() {
        ObjectSpec source = spec.source;
        Object supplier = objects.make(source, Object.class, "a topology source");
        Method method = Arrays.stream(supplier.getClass().getMethods())
                .filter(each -> each.getName().equals(spec.sourceMethod) && isSource(each))
                .findFirst()
                .orElseThrow(() -> new ProgramInputException(source.where() + ": "
                        + supplier.getClass().getName() + " has no public method 'StormTopology " + spec.sourceMethod
                        + "(Map<String, Object>)' or '(Config)'"));
        Config conf = new Config();
        conf.putAll(spec.config);
        Object argument = method.getParameterTypes()[0] == Config.class ? conf : new HashMap<>(spec.config);
        method.trySetAccessible();
        StormTopology topology = (StormTopology)
                ObjectFactory.call(source.where(), spec.sourceMethod, () -> method.invoke(supplier, argument));
        if (topology == null) {
            throw new ProgramInputException(source.where() + ": " + spec.sourceMethod + " returned null");
        }
        return topology;
    }

    private static boolean isSource(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return method.getReturnType() == StormTopology.class
                && parameters.length == 1
                && (parameters[0].isAssignableFrom(Map.class) || parameters[0].isAssignableFrom(Config.class));
    }
}
