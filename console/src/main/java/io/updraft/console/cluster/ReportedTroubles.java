package io.updraft.console.cluster;

import io.updraft.base.text.OneLine;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.CallReminders;
import io.updraft.observe.view.CallView;
import io.updraft.observe.view.HotKeyException;
import io.updraft.observe.view.Remark.Kind;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.StuckCallException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;

/**
 * Stuck calls and hot keys, which Updraft's workers report to Nimbus as errors. Nobody reports their end: each counts as present
 * until its worker must have reported it again.
 */
final class ReportedTroubles {
    /** The time after which a worker has not reported a trouble again for certain: duties, ZooKeeper, clocks of hosts. */
    private static final long DELAY_SECONDS = 30;

    /** No report is present for longer: reports are at most an hour apart. */
    private static final long LONGEST_SECONDS = TimeUnit.HOURS.toSeconds(1) + DELAY_SECONDS;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final TopologySampled sampled;
    private final List<Report<CallInProgress>> calls;
    private final List<Report<HotKeyException.Lasting>> hotKeys;

    private record Report<T>(T trouble, ErrorInfo error) {
        String reported() {
            String time = TIME.format(
                    Instant.ofEpochSecond(error.get_error_time_secs()).atZone(ZoneId.systemDefault()));
            return " (reported " + time + (worker() == null ? "" : " by " + worker()) + ")";
        }

        String worker() {
            return NimbusErrors.worker(error);
        }
    }

    /**
     * Finds the reports.
     *
     * @param errors the errors of components, by id
     */
    ReportedTroubles(TopologySampled sampled, Map<String, List<ErrorInfo>> errors) {
        this.sampled = sampled;
        Map<List<Object>, Report<CallInProgress>> newestCalls = new LinkedHashMap<>();
        Map<List<Object>, Report<HotKeyException.Lasting>> newestKeys = new LinkedHashMap<>();
        errors.forEach((component, all) -> all.stream()
                .sorted(Comparator.comparing(ErrorInfo::get_error_time_secs))
                .forEach(error -> {
                    call(component, error)
                            .map(call -> new Report<>(call, error))
                            .ifPresent(report -> newestCalls.put(nameOf(report), report));
                    key(component, error)
                            .map(key -> new Report<>(key, error))
                            .ifPresent(report -> newestKeys.put(
                                    List.of(
                                            component,
                                            report.trouble().key().from(),
                                            report.trouble().key().stream(),
                                            report.trouble().key().key()),
                                    report));
                }));
        calls = newestCalls.values().stream()
                .filter(report -> isPresent(report.trouble().nanos(), report.error()))
                .filter(report -> !hasReturned(report))
                .sorted(Comparator.comparing((Report<CallInProgress> report) ->
                                !report.trouble().deadlocked())
                        .thenComparing(report -> -report.trouble().nanos()))
                .toList();
        hotKeys = newestKeys.values().stream()
                .filter(report -> isPresent(report.trouble().nanos(), report.error()))
                .toList();
    }

    /** Finds the reports among the newest error of each component, which a sample has. */
    static ReportedTroubles ofNewest(TopologySampled sampled) {
        return new ReportedTroubles(sampled, sampled.reading().info().get_errors());
    }

    private static List<Object> nameOf(Report<CallInProgress> report) {
        return List.of(report.trouble().component(), report.trouble().thread(), Optional.ofNullable(report.worker()));
    }

    private static Optional<CallInProgress> call(String component, ErrorInfo error) {
        return StuckCallException.parse(component, error.get_error());
    }

    private static Optional<HotKeyException.Lasting> key(String component, ErrorInfo error) {
        return HotKeyException.parse(component, error.get_error());
    }

    /** {@return whether an error is such a report, present or not} */
    static boolean isReport(String component, ErrorInfo error) {
        return call(component, error).isPresent() || key(component, error).isPresent();
    }

    /** {@return whether the newest error of each component, which a sample has, may hide reports that are present} */
    static boolean mayBeHidden(TopologySampled sampled) {
        return sampled.reading().info().get_errors().values().stream()
                .flatMap(List::stream)
                .anyMatch(error -> secondsSince(error, sampled) <= LONGEST_SECONDS);
    }

    private static long secondsSince(ErrorInfo error, TopologySampled sampled) {
        return TimeUnit.MILLISECONDS.toSeconds(sampled.reading().millis()) - error.get_error_time_secs();
    }

    private boolean isPresent(long nanos, ErrorInfo error) {
        return secondsSince(error, sampled)
                <= TimeUnit.NANOSECONDS.toSeconds(CallReminders.next(nanos) - nanos) + DELAY_SECONDS;
    }

    /** Whether the executor has started again since the report, or its statistics show that it executes tuples again. */
    private boolean hasReturned(Report<CallInProgress> report) {
        int task = report.trouble().task();
        double passed = secondsSince(report.error(), sampled)
                - DELAY_SECONDS
                - sampled.reading().reportSeconds();
        return sampled.reading().executors().getOrDefault(report.trouble().component(), List.of()).stream()
                .filter(ExecutorSummary::is_set_stats)
                .filter(executor -> executor.get_executor_info().get_task_start() <= task
                        && task <= executor.get_executor_info().get_task_end())
                .anyMatch(executor -> executor.get_uptime_secs() < passed
                        || passed > sampled.rates().seconds()
                                && sampled.rates()
                                                .of(executor.get_executor_info().get_task_start())
                                                .executed()
                                        > 0);
    }

    /** Adds a remark for each call that does not return, and for each hot key. */
    void addTo(Remarks remarks) {
        calls.forEach(report -> remarks.add(
                report.trouble().deadlocked() ? Kind.DEADLOCK : Kind.STUCK,
                report.trouble().component(),
                report.trouble().describe() + report.reported()));
        hotKeys.forEach(report -> remarks.add(
                Kind.HOT_KEY,
                report.trouble().key().to(),
                OneLine.first(report.error().get_error()).replaceFirst("^hot key: ", "") + report.reported()));
    }

    List<String> hotKeyLines() {
        return hotKeys.stream()
                .map(report -> OneLine.first(report.error().get_error()) + report.reported())
                .toList();
    }

    List<CallView> calls(boolean withStack) {
        return calls.stream()
                .map(report -> CallView.of(report.trouble(), withStack).reported(report.reported()))
                .toList();
    }
}
