package io.updraft.engine.run;

import io.updraft.base.conf.ConfReader;
import io.updraft.engine.grouping.Emitter;
import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.grouping.Groupers;
import io.updraft.engine.grouping.Load;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.Config;
import org.apache.storm.Thrift;
import org.apache.storm.generated.Grouping;
import org.apache.storm.task.TopologyContext;

/** The output streams of one task. Used by one thread at a time. */
final class OutStreams {

    private final Map<String, OutStream> byId = new HashMap<>();
    private final String componentId;
    private String lastId;
    private OutStream last;

    /** Counts by stream; null if that is not needed, because there is one stream or because the emits are not in a turn. */
    private OutputCounts counts;

    /** Whether the last stream may be remembered; not when other tasks of the executor may emit in between. */
    private boolean remembers = true;

    /**
     * Creates the streams.
     *
     * @param outside whether they are for the threads that the component started
     */
    public OutStreams(
            TopologyServices shared,
            ComponentPlan component,
            int taskId,
            TopologyContext context,
            boolean outside,
            long seed) {
        this.componentId = component.id();
        SplittableRandom random = new SplittableRandom(seed);
        Emitter emitter = new Emitter(taskId, component.taskIds(), outside);
        for (StreamPlan stream : component.outputs()) {
            byId.put(stream.streamId(), create(shared, byId.size(), stream, emitter, context, random));
        }
    }

    /**
     * Sets the counters by stream, if the executor counts streams separately. Call this in a turn of the executor or while it
     * does not run.
     *
     * @param by the counters of the executor that has the task
     * @param sole whether the executor has no other task
     */
    public void moveTo(OutputCounts by, boolean sole) {
        counts = by.isByStream() ? by : null;
        remembers = sole || counts == null;
        lastId = null;
    }

    /** Switches the counters to a stream that was found elsewhere. Call this only in a turn. */
    void emitsOn(OutStream stream) {
        if (counts != null) {
            counts.switchTo(stream.number);
            lastId = null;
        }
    }

    private static OutStream create(
            TopologyServices shared,
            int number,
            StreamPlan stream,
            Emitter emitter,
            TopologyContext context,
            SplittableRandom random) {
        List<Grouper> groupers = new ArrayList<>();
        List<Integer> directTargets = new ArrayList<>();
        for (SubscriptionPlan subscription : stream.subscriptions()) {
            if (Thrift.groupingType(subscription.grouping()) == Grouping._Fields.DIRECT) {
                for (int task : subscription.targetTasks()) {
                    directTargets.add(task);
                }
            } else {
                groupers.add(Groupers.create(
                        stream,
                        near(shared, subscription),
                        emitter,
                        context,
                        load(shared),
                        random.split(),
                        shared.keys()));
            }
        }
        return new OutStream(
                number, Origin.of(shared.plan(), stream, emitter.task(), context), groupers, directTargets);
    }

    /** Restricts a local-or-shuffle grouping to the targets in this worker, if there are any. */
    private static SubscriptionPlan near(TopologyServices shared, SubscriptionPlan all) {
        if (Thrift.groupingType(all.grouping()) != Grouping._Fields.LOCAL_OR_SHUFFLE) {
            return all;
        }
        int[] own = Arrays.stream(all.targetTasks()).filter(shared::isOwn).toArray();
        return own.length == 0 ? all : new SubscriptionPlan(all.targetComponentId(), own, all.grouping());
    }

    /**
     * Returns the load for groupers. Storm's switch for load-aware messaging also disables the preference for near tasks, in
     * Storm and here.
     */
    private static Load load(TopologyServices shared) {
        boolean disabled =
                new ConfReader(shared.plan().conf()).flag(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, false);
        return disabled ? Load.NONE : shared.overload();
    }

    /** Finds a stream to emit on by grouping. */
    OutStream grouped(String streamId) {
        OutStream stream = find(streamId);
        if (!stream.directTargets.isEmpty()) {
            throw new IllegalArgumentException("stream '" + streamId + "' of component '" + componentId
                    + "' has a subscriber with a direct grouping: use emitDirect");
        }
        return stream;
    }

    /** Finds a stream to emit on to a task that the caller names. */
    OutStream direct(String streamId, int task) {
        OutStream stream = find(streamId);
        for (Grouper grouper : stream.groupers) {
            if (grouper.isTarget(task)) {
                throw new IllegalArgumentException("task " + task + " subscribes to stream '" + streamId
                        + "' of component '" + componentId + "' with a grouping that is not direct: use emit");
            }
        }
        return stream;
    }

    /** Finds a stream that may be of either kind. */
    OutStream find(String streamId) {
        // Almost always the same string constant as in the last call.
        return streamId == lastId ? last : look(streamId);
    }

    private OutStream look(String streamId) {
        OutStream stream = byId.get(streamId);
        if (stream == null) {
            throw new IllegalArgumentException("component '" + componentId + "' emits on stream '" + streamId
                    + "', which it does not declare; it declares " + byId.keySet());
        }
        if (counts != null) {
            counts.switchTo(stream.number);
        }
        if (remembers) {
            lastId = streamId;
            last = stream;
        }
        return stream;
    }
}
