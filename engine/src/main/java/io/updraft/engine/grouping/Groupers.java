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

    /** Always chooses the first task: for the global grouping, and for any grouping with a single target. */
    private static final class SingleGrouper extends Grouper {

        SingleGrouper(int[] targets) {
            super(targets);
        }

        @Override
        public int choose(List<Object> values) {
            return 0;
        }

        @Override
        public int always() {
            return 0;
        }
    }

    /** Chooses all targets. */
    private static final class AllGrouper extends Grouper {

        private final List<Integer> all;

        AllGrouper(int[] targets) {
            super(targets);
            all = Arrays.stream(targets).boxed().collect(Collectors.toUnmodifiableList());
        }

        @Override
        public int choose(List<Object> values) {
            return MANY;
        }

        @Override
        public List<Integer> chooseMany(List<Object> values) {
            return all;
        }
    }

    /** Chooses a random target for each tuple, as Storm does for the grouping "none". */
    private static final class NoneGrouper extends Grouper {

        private final RandomGenerator random;

        NoneGrouper(int[] targets, RandomGenerator random) {
            super(targets);
            this.random = random;
        }

        @Override
        public int choose(List<Object> values) {
            return random.nextInt(targetCount());
        }
    }

    /** Chooses the targets by a custom grouping of the user. */
    private static final class CustomGrouper extends Grouper {

        private final CustomStreamGrouping grouping;
        private final int sourceTask;

        CustomGrouper(int[] targets, CustomStreamGrouping grouping, int sourceTask) {
            super(targets);
            this.grouping = grouping;
            this.sourceTask = sourceTask;
        }

        @Override
        public int choose(List<Object> values) {
            return MANY;
        }

        @Override
        public List<Integer> chooseMany(List<Object> values) {
            List<Integer> tasks = grouping.chooseTasks(sourceTask, values);
            if (tasks == null) {
                return List.of();
            }
            for (int i = 0; i < tasks.size(); i++) {
                Integer task = tasks.get(i);
                if (task == null || !isTarget(task)) {
                    // The exception counts as an error of the emitting component; no loop could deliver the tuple.
                    throw new IllegalArgumentException("the custom grouping "
                            + grouping.getClass().getName() + " chose task " + task
                            + ", which is not a task of the subscribing component: " + targets());
                }
            }
            return tasks;
        }
    }

    /**
     * Chooses the same task for equal keys, with the same index as Storm: {@code floorMod(Arrays.deepHashCode(key), n)}. Computed
     * without creating an array for the key.
     */
    private static final class FieldsGrouper extends Grouper {

        /** Positions of the grouping fields in the tuple, in the order of the grouping. */
        private final int[] keyIndexes;

        private final KeySampler sampler;
        private int untilSample = 1;

        FieldsGrouper(int[] targets, int[] keyIndexes, KeySampler sampler) {
            super(targets);
            this.keyIndexes = keyIndexes;
            this.sampler = sampler;
        }

        @Override
        public int choose(List<Object> values) {
            int hash = 1;
            for (int index : keyIndexes) {
                hash = 31 * hash + deepHash(values.get(index));
            }
            int choice = Math.floorMod(hash, targetCount());
            if (--untilSample == 0) {
                untilSample = sampler.sample(values, keyIndexes, hash, choice);
            }
            return choice;
        }

        private static int deepHash(Object value) {
            if (value instanceof String string) {
                return string.hashCode();
            }
            if (value == null) {
                return 0;
            }
            return value.getClass().isArray() ? arrayHash(value) : value.hashCode();
        }

        private static int arrayHash(Object array) {
            return array instanceof Object[] objects
                    ? Arrays.deepHashCode(objects)
                    : Arrays.deepHashCode(new Object[] {array}) - 31;
        }
    }

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
     * @param keys the samplers of keys, which get one more for a fields grouping
     * @return a grouper for that task alone
     */
    public static Grouper create(
            StreamPlan stream,
            SubscriptionPlan subscription,
            Emitter emitter,
            WorkerTopologyContext context,
            Load load,
            RandomGenerator random,
            KeySamplers keys) {
        Grouping grouping = subscription.grouping();
        int[] targets = subscription.targetTasks();
        return switch (Thrift.groupingType(grouping)) {
            case FIELDS -> fields(stream, subscription, emitter, random, keys);
            case SHUFFLE, LOCAL_OR_SHUFFLE ->
                targets.length == 1 ? new SingleGrouper(targets) : new ShuffleGrouper(targets, load, random, emitter);
            case NONE -> targets.length == 1 ? new SingleGrouper(targets) : new NoneGrouper(targets, random);
            case ALL -> new AllGrouper(targets);
            case CUSTOM_OBJECT, CUSTOM_SERIALIZED -> {
                CustomStreamGrouping custom = (CustomStreamGrouping) custom(subscription);
                List<Integer> tasks = Arrays.stream(targets).boxed().collect(Collectors.toList());
                custom.prepare(context, new GlobalStreamId(stream.componentId(), stream.streamId()), tasks);
                yield new CustomGrouper(targets, custom, emitter.task());
            }
            case DIRECT -> throw new IllegalArgumentException("a direct grouping has no grouper");
        };
    }

    private static Grouper fields(
            StreamPlan stream,
            SubscriptionPlan subscription,
            Emitter emitter,
            RandomGenerator random,
            KeySamplers keys) {
        Grouping grouping = subscription.grouping();
        int[] targets = subscription.targetTasks();
        if (Thrift.isGlobalGrouping(grouping) || targets.length == 1) {
            return new SingleGrouper(targets);
        }
        Fields declared = stream.fields();
        int[] indexes = Thrift.fieldGrouping(grouping).stream()
                .mapToInt(declared::fieldIndex)
                .toArray();
        return new FieldsGrouper(
                targets, indexes, keys.create(stream, subscription, emitter.task(), emitter.outside(), random));
    }

    private static Object custom(SubscriptionPlan subscription) {
        Grouping grouping = subscription.grouping();
        if (Thrift.groupingType(grouping) == Grouping._Fields.CUSTOM_OBJECT) {
            return Thrift.instantiateJavaObject(grouping.get_custom_object());
        }
        return UserObjects.read(
                grouping.get_custom_serialized(),
                Thread.currentThread().getContextClassLoader(),
                "the grouping of '" + subscription.targetComponentId() + "'");
    }
}
