package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.KeyedStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One component of a topology in every detail.
 *
 * @param topology the topology
 * @param component the component
 * @param type its class, or its command in another language; null if unknown
 * @param executors a row for each {@link ExecutorView}
 * @param inputs a row for each {@link InputView}
 * @param outputs a row for each {@link OutputView}
 * @param errors its newest failures
 * @param calls its calls that do not return
 * @param keys the heaviest keys of the tuples that it gets
 * @param hotKeys a line for each hot key that it gets or sends
 */
public record ComponentPageView(
        String topology,
        @Inlined ComponentView component,
        String type,
        RecordTable executors,
        RecordTable inputs,
        RecordTable outputs,
        List<ErrorView> errors,
        List<CallView> calls,
        List<Key> keys,
        List<String> hotKeys) {
    private static final double SECONDS_PER_HOUR = 3600;

    /**
     * A key of the tuples that a component gets.
     *
     * @param from the component that emits
     * @param stream the stream
     * @param fields the fields of the grouping
     * @param key the key
     * @param share the share of the tuples of the stream that have it, from 0 to 1
     * @param perSecond the tuples with the key, in a second
     * @param task the task that gets them
     * @param hot whether it overloads the task
     */
    public record Key(
            String from,
            String stream,
            String fields,
            String key,
            double share,
            double perSecond,
            int task,
            boolean hot) {}

    /**
     * Describes a component of a topology of a run.
     *
     * @param sample the topology
     * @param component the id of the component
     * @param type its class; null if unknown
     * @param workerOfTask gives the worker that runs a task
     * @throws IllegalArgumentException when the topology has no such component
     */
    public static ComponentPageView of(
            TopologySample sample, String component, String type, Function<Integer, Integer> workerOfTask) {
        TopologySample.ComponentRates rates = sample.components().stream()
                .filter(each -> each.id().equals(component))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "topology '" + sample.name() + "' has no component '" + component + "'"));
        ComponentSnapshot now = rates.now();
        return new ComponentPageView(
                sample.name(),
                ComponentView.of(rates),
                type,
                RecordTable.of(
                        ExecutorView.class,
                        rates.executors().stream()
                                .map(executor -> ExecutorView.of(
                                        executor,
                                        workerOfTask.apply(executor.now().firstTask())))
                                .toList()),
                RecordTable.of(InputView.class, inputs(now)),
                RecordTable.of(OutputView.class, outputs(now)),
                ErrorGroup.of(sample.now().recentErrors()).stream()
                        .filter(group -> group.newest().componentId().equals(component))
                        .map(group -> ErrorView.of(group, true))
                        .toList(),
                sample.now().calls().stream()
                        .filter(call -> call.component().equals(component))
                        .map(call -> CallView.of(call, true))
                        .toList(),
                sample.now().keyed().stream()
                        .filter(stream -> stream.to().equals(component))
                        .flatMap(stream -> keys(stream, sample.hotKeys()))
                        .toList(),
                HotKeyLines.of(
                        sample, key -> key.to().equals(component) || key.from().equals(component)));
    }

    private static List<InputView> inputs(ComponentSnapshot now) {
        return now.streams().inputs().stream()
                .map(input -> new InputView(
                        input.component(),
                        input.stream(),
                        null,
                        input.executed(),
                        input.acked(),
                        input.failed(),
                        input.execute().meanMillis(),
                        input.process().meanMillis()))
                .toList();
    }

    private static List<OutputView> outputs(ComponentSnapshot now) {
        return now.streams().outputs().stream()
                .map(output -> new OutputView(
                        output.stream(),
                        null,
                        output.emitted(),
                        output.transferred(),
                        output.acked(),
                        output.failed(),
                        output.complete().meanMillis()))
                .toList();
    }

    private static Stream<Key> keys(KeyedStream stream, List<HotKey> hotKeys) {
        double all = Math.max(1, Arrays.stream(stream.tuplesPerHour()).sum());
        List<String> hot = hotKeys.stream()
                .filter(key -> stream.skewedKeys().stream()
                        .anyMatch(each -> each.name().equals(key.name())))
                .map(HotKey::key)
                .toList();
        return stream.keys().stream()
                .map(key -> new Key(
                        stream.from(),
                        stream.stream(),
                        stream.fields(),
                        key.key(),
                        key.tuplesPerHour() / all,
                        key.tuplesPerHour() / SECONDS_PER_HOUR,
                        key.task(),
                        hot.contains(key.key())));
    }
}
