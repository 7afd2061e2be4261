package io.updraft.engine.grouping;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.grouping.KeySampler.Published;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.apache.storm.Thrift;

/**
 * The samplers of all fields groupings in this process. May be used by any thread. A rebuilt instance of a component takes the
 * place of the former one, so the number of samplers is bounded by that of the tasks.
 */
public final class KeySamplers {

    /** A sampler that has published nothing for this time is ignored: its stream has ended or is slower than that. */
    private static final long STALE_NANOS = 60_000_000_000L;

    private static final double HOUR_NANOS = 3600e9;

    /** The emitting task, and whether its own threads emit. */
    private record Place(int task, boolean outside, String stream, String to) {}

    private record Watched(StreamPlan stream, SubscriptionPlan subscription, KeySampler sampler) {}

    private final Map<Place, Watched> watched = new ConcurrentHashMap<>();
    private final EngineClock clock;

    /**
     * Creates an empty set.
     *
     * @param clock the engine's clock
     */
    public KeySamplers(EngineClock clock) {
        this.clock = clock;
    }

    /**
     * Creates the sampler of one fields grouping. Groupings of system streams are not shown.
     *
     * @param stream the stream
     * @param subscription the subscription, with a fields grouping
     * @param task the emitting task
     * @param outside whether the tuples come from threads of the component's own
     * @param random the source of random gaps
     * @return the sampler
     */
    public KeySampler create(
            StreamPlan stream, SubscriptionPlan subscription, int task, boolean outside, RandomGenerator random) {
        KeySampler sampler = new KeySampler(clock, random, subscription.targetTasks().length);
        if (!stream.isSystem()) {
            Place place = new Place(task, outside, stream.streamId(), subscription.targetComponentId());
            watched.put(place, new Watched(stream, subscription, sampler));
        }
        return sampler;
    }

    /**
     * Returns the heaviest keys of each fields grouping that has been busy lately.
     *
     * @param now the time by the engine's clock, nanoseconds
     * @param overloaded whether the queue of a task is long
     * @return the groupings with their keys
     */
    public List<KeyedStream> read(long now, IntPredicate overloaded) {
        return KeyedStream.merge(watched.values().stream()
                .map(each -> read(each, now, overloaded))
                .filter(Objects::nonNull));
    }

    private static KeyedStream read(Watched each, long now, IntPredicate overloaded) {
        Published keys = each.sampler().publishedAcquire();
        if (keys == null || now - keys.at() > STALE_NANOS) {
            return null;
        }
        // If a batch has lasted longer than the last one, the stream has become slower.
        long nanos = Math.max(1, Math.max(keys.at() - keys.since(), now - keys.at()));
        double rate = keys.tuples() * HOUR_NANOS / nanos / keys.total();
        int[] tasks = each.subscription().targetTasks();
        return new KeyedStream(
                each.stream().componentId(),
                each.stream().streamId(),
                each.subscription().targetComponentId(),
                String.join(", ", Thrift.fieldGrouping(each.subscription().grouping())),
                Arrays.stream(keys.byTarget())
                        .map(weight -> (long) (weight * rate))
                        .toArray(),
                keys.keys().stream()
                        .map(key -> new KeyRate(
                                key.text(), tasks[key.target()], key.target(), (long) (key.weight() * rate)))
                        .toList(),
                Arrays.stream(tasks).filter(overloaded).boxed().toList());
    }
}
