package io.updraft.engine.grouping;

import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.plan.UserObjects;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.storm.Thrift;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.Fields;

/** Creates the groupers of one emitting task. */
public final class Groupers {

    private Groupers() {}

    /**
     * Creates the grouper of one subscription. Called on the thread that prepares the emitting task.
     *
     * @param stream the stream
     * @param subscription the subscription; must not have a direct grouping
     * @param emitter the emitting task
     * @param context the emitting task's view of the topology, for the user's own groupings
     * @param load the load and the placement of tasks
     * @param random the source of random choices
     * @return a grouper for that task alone
     */
    public static Grouper create(
            StreamPlan stream,
            SubscriptionPlan subscription,
            Emitter emitter,
            WorkerTopologyContext context,
            Load load,
            RandomGenerator random) {
        Grouping grouping = subscription.grouping();
        int[] targets = subscription.targetTasks();
        return switch (Thrift.groupingType(grouping)) {
            case FIELDS -> fields(stream, grouping, targets);
            case SHUFFLE, LOCAL_OR_SHUFFLE ->
                targets.length == 1 ? new SingleGrouper(targets) : new ShuffleGrouper(targets, load, random, emitter);
            case NONE -> targets.length == 1 ? new SingleGrouper(targets) : new NoneGrouper(targets, random);
            case ALL -> new AllGrouper(targets);
            case CUSTOM_OBJECT ->
                custom(
                        (CustomStreamGrouping) Thrift.instantiateJavaObject(grouping.get_custom_object()),
                        stream,
                        targets,
                        emitter.task(),
                        context);
            case CUSTOM_SERIALIZED ->
                custom(
                        (CustomStreamGrouping) UserObjects.read(
                                grouping.get_custom_serialized(),
                                Thread.currentThread().getContextClassLoader(),
                                "the grouping of '" + subscription.targetComponentId() + "'"),
                        stream,
                        targets,
                        emitter.task(),
                        context);
            case DIRECT -> throw new IllegalArgumentException("a direct grouping has no grouper");
        };
    }

    private static Grouper fields(StreamPlan stream, Grouping grouping, int[] targets) {
        if (Thrift.isGlobalGrouping(grouping) || targets.length == 1) {
            return new SingleGrouper(targets);
        }
        Fields declared = stream.fields();
        int[] indexes = Thrift.fieldGrouping(grouping).stream()
                .mapToInt(declared::fieldIndex)
                .toArray();
        return new FieldsGrouper(targets, indexes);
    }

    private static Grouper custom(
            CustomStreamGrouping grouping,
            StreamPlan stream,
            int[] targets,
            int sourceTask,
            WorkerTopologyContext context) {
        List<Integer> tasks = Arrays.stream(targets).boxed().collect(Collectors.toList());
        grouping.prepare(context, new GlobalStreamId(stream.componentId(), stream.streamId()), tasks);
        return new CustomGrouper(targets, grouping, sourceTask);
    }
}
