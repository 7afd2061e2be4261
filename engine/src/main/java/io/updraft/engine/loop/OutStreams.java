package io.updraft.engine.loop;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.grouping.Groupers;
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
import org.apache.storm.Thrift;
import org.apache.storm.generated.Grouping;
import org.apache.storm.task.TopologyContext;

/** The output streams of one task. Used by one thread at a time. */
final class OutStreams {

    private final Map<String, OutStream> byId = new HashMap<>();
    private final String componentId;
    private String lastId;
    private OutStream last;

    OutStreams(Shared shared, ComponentPlan component, int taskId, TopologyContext context, long seed) {
        this.componentId = component.id();
        SplittableRandom random = new SplittableRandom(seed);
        for (StreamPlan stream : component.outputs()) {
            byId.put(stream.streamId(), create(shared, stream, taskId, context, random));
        }
    }

    private static OutStream create(
            Shared shared, StreamPlan stream, int taskId, TopologyContext context, SplittableRandom random) {
        List<Grouper> groupers = new ArrayList<>();
        List<Integer> directTargets = new ArrayList<>();
        for (SubscriptionPlan subscription : stream.subscriptions()) {
            if (Thrift.groupingType(subscription.grouping()) == Grouping._Fields.DIRECT) {
                for (int task : subscription.targetTasks()) {
                    directTargets.add(task);
                }
            } else {
                groupers.add(Groupers.create(
                        stream, near(shared, subscription), taskId, context, shared.overload(), random.split()));
            }
        }
        return new OutStream(
                Origin.of(stream.componentId(), stream.streamId(), taskId, stream.fields(), context),
                stream.direct(),
                groupers,
                directTargets);
    }

    /** Of a local-or-shuffle grouping only the targets in this worker are left, if there are any. */
    private static SubscriptionPlan near(Shared shared, SubscriptionPlan all) {
        if (Thrift.groupingType(all.grouping()) != Grouping._Fields.LOCAL_OR_SHUFFLE) {
            return all;
        }
        int[] own = Arrays.stream(all.targetTasks()).filter(shared::isOwn).toArray();
        return own.length == 0 ? all : new SubscriptionPlan(all.targetComponentId(), own, all.grouping());
    }

    /** Finds a stream to emit on by grouping. */
    OutStream grouped(String streamId) {
        return checkGrouped(find(streamId), streamId);
    }

    private OutStream checkGrouped(OutStream stream, String streamId) {
        if (stream.direct) {
            throw new IllegalArgumentException(
                    "stream '" + streamId + "' of component '" + componentId + "' is direct: use emitDirect");
        }
        return stream;
    }

    /** Finds a stream to emit on to a task that the caller names. */
    OutStream direct(String streamId) {
        OutStream stream = find(streamId);
        if (!stream.direct && stream.groupers.length > 0) {
            throw new IllegalArgumentException("stream '" + streamId + "' of component '" + componentId
                    + "' is not direct: use emit, or declare it direct");
        }
        return stream;
    }

    /** Finds a stream that may be of either kind. */
    OutStream find(String streamId) {
        // Almost always the same constant string as the last time.
        return streamId == lastId ? last : look(streamId);
    }

    private OutStream look(String streamId) {
        OutStream stream = byId.get(streamId);
        if (stream == null) {
            throw new IllegalArgumentException("component '" + componentId + "' emits on stream '" + streamId
                    + "', which it does not declare; it declares " + byId.keySet());
        }
        lastId = streamId;
        last = stream;
        return stream;
    }
}
