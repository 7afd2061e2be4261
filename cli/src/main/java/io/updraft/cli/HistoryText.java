package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.view.QuantityFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** Draws the answer to {@code history} as tables for a terminal. */
final class HistoryText {
    private static final List<Column> PROCESS =
            List.of(count("heap", "heapUsedBytes"), percent("cpu", "cpuCores"), percent("gc", "gcShare"));

    private static final List<Column> TOTALS = List.of(
            count("emit/s", "spoutEmittedPerSecond"),
            count("exec/s", "executedPerSecond"),
            count("done/s", "completedPerSecond"),
            count("fail/s", "failedTreesPerSecond"),
            count("errors", "errors"),
            count("queued", "queued"),
            count("flight", "inFlight"),
            latency("exec99", "executeP99Nanos"),
            latency("done99", "completeP99Nanos"),
            new Column("loop", 5, HistoryText::busiestLoop),
            count("heap", "heapUsedBytes"),
            percent("cpu", "cpuCores"),
            percent("gc", "gcShare"),
            new Column("  busiest", 0, HistoryText::busiest));

    private static final List<Column> BOLT = List.of(
            count("exec/s", "executedPerSecond"),
            count("emit/s", "emittedPerSecond"),
            count("ack/s", "ackedPerSecond"),
            count("fail/s", "failedPerSecond"),
            percent("busy", "busy"),
            count("queued", "queued"),
            latency("exec50", "executeP50Nanos"),
            latency("exec99", "executeP99Nanos"),
            count("executors", "executors"),
            count("errors", "errors"),
            new Column("  remarks", 0, HistoryText::remarks));

    private static final List<Column> SPOUT = List.of(
            count("emit/s", "emittedPerSecond"),
            count("done/s", "ackedPerSecond"),
            count("fail/s", "failedPerSecond"),
            count("timeouts", "timedOut"),
            percent("busy", "busy"),
            count("flight", "inFlight"),
            latency("next99", "executeP99Nanos"),
            latency("done50", "completeP50Nanos"),
            latency("done99", "completeP99Nanos"),
            count("executors", "executors"),
            count("errors", "errors"),
            new Column("  remarks", 0, HistoryText::remarks));

    private static final List<Column> PIPELINE = List.of(
            count("records/s", "recordsPerSecond"),
            count("rows/s", "rowsPerSecond"),
            count("groups/s", "groupsPerSecond"),
            count("windows", "windows"),
            new Column("lag", 5, HistoryText::lag),
            count("rejected", "badRecords"),
            count("late", "lateRows"),
            count("retries", "writeRetries"),
            count("alarms", "alarms"),
            count("open groups", "openGroups"),
            count("state", "stateBytes"),
            count("heap", "heapUsedBytes"),
            percent("cpu", "cpuCores"),
            percent("gc", "gcShare"));

    private final DateTimeFormatter clock;

    HistoryText(ZoneId zone) {
        clock = DateTimeFormatter.ofPattern("HH:mm:ss").withZone(zone);
    }

    List<String> lines(JsonObject topology) {
        List<String> lines = new ArrayList<>();
        lines.add(title(topology));
        List<JsonObject> steps = maps(topology.get("steps"));
        if (steps.isEmpty()) {
            lines.add("  no samples yet");
            return lines;
        }
        List<Column> columns = columns(topology, steps);
        lines.add("time    " + row(columns, Column::head));
        Deque<JsonObject> moves = new ArrayDeque<>(maps(topology.get("moves")));
        for (JsonObject step : steps) {
            while (!moves.isEmpty() && instant(moves.peek()).isBefore(instant(step))) {
                lines.add(move(moves.remove()));
            }
            lines.add(time(step) + row(columns, column -> column.cell(step)));
        }
        moves.forEach(move -> lines.add(move(move)));
        return lines;
    }

    /** {@return only the moves of one topology} */
    List<String> moves(JsonObject topology) {
        List<String> lines = new ArrayList<>();
        lines.add(title(topology));
        List<JsonObject> moves = maps(topology.get("moves"));
        moves.forEach(move -> lines.add(move(move)));
        if (moves.isEmpty()) {
            lines.add("  nothing has moved");
        }
        return lines;
    }

    private String move(JsonObject move) {
        return time(move) + " > " + move.get("subject") + " moved from " + move.get("from") + " to " + move.get("to")
                + ": " + move.get("reason");
    }

    private static Instant instant(JsonObject timed) {
        return Instant.parse(String.valueOf(timed.get("time")));
    }

    private static List<Column> columns(JsonObject topology, List<JsonObject> steps) {
        if (topology.get("worker") != null) {
            return PROCESS;
        }
        if (topology.get("component") == null) {
            return steps.get(0).containsKey("recordsPerSecond") ? PIPELINE : TOTALS;
        }
        return steps.stream().anyMatch(step -> step.containsKey("inFlight")) ? SPOUT : BOLT;
    }

    private static String row(List<Column> columns, Function<Column, String> cell) {
        StringBuilder row = new StringBuilder();
        columns.forEach(column -> row.append(' ').append(cell.apply(column)));
        return row.toString().stripTrailing();
    }

    private String title(JsonObject topology) {
        StringBuilder title = new StringBuilder(String.valueOf(topology.get("name")));
        if (topology.get("component") != null) {
            title.append(", ").append(topology.get("component"));
        }
        if (topology.get("worker") != null) {
            title.append(", worker ").append(topology.get("worker"));
        }
        if (topology.get("ended") != null) {
            title.append(" (ended ").append(time(topology.get("ended"))).append(')');
        }
        if (topology.get("tenSecondSamplesUntil") != null) {
            title.append("; to save memory, samples until ")
                    .append(time(topology.get("tenSecondSamplesUntil")))
                    .append(" are ten seconds long");
        }
        if (Boolean.TRUE.equals(topology.get("shortened"))) {
            title.append("; to save memory, samples before ")
                    .append(time(topology.get("begins")))
                    .append(" were dropped");
        }
        return title.toString();
    }

    private String time(JsonObject step) {
        return time(step.get("time"));
    }

    private String time(Object instant) {
        return clock.format(Instant.parse(String.valueOf(instant)));
    }

    @SuppressWarnings("unchecked")
    private static List<JsonObject> maps(Object list) {
        return list instanceof List<?> ? (List<JsonObject>) list : List.of();
    }

    private static String busiestLoop(JsonObject step) {
        return step.get("loopBusy") instanceof List<?> loops
                ? loops.stream()
                        .mapToDouble(busy -> ((Number) busy).doubleValue())
                        .boxed()
                        .max(Double::compare)
                        .map(QuantityFormat::percent)
                        .orElse(QuantityFormat.NONE)
                : QuantityFormat.NONE;
    }

    /** {@return how far the sources are behind, added up; records or bytes, as the sources count} */
    private static String lag(JsonObject step) {
        List<Double> lags = step.keySet().stream()
                .filter(key -> key.matches("source\\d+Lag.*"))
                .map(key -> number(step, key))
                .toList();
        return lags.isEmpty()
                ? QuantityFormat.NONE
                : QuantityFormat.count(
                        lags.stream().mapToDouble(Double::doubleValue).sum());
    }

    private static String busiest(JsonObject step) {
        return step.get("busiest") == null
                ? ""
                : "  " + step.get("busiest") + " " + QuantityFormat.percent(number(step, "busiestShare"));
    }

    private static String remarks(JsonObject step) {
        List<String> remarks = new ArrayList<>();
        addShare(remarks, "exerts back-pressure", number(step, "backPressured"));
        addShare(remarks, "held back", number(step, "throttled"));
        addCount(remarks, "on own threads", number(step, "ownThreads"));
        addCount(remarks, "restarts", number(step, "restarts"));
        addCount(remarks, "dead letters", number(step, "deadLettered"));
        return remarks.isEmpty() ? "" : "  " + String.join(", ", remarks);
    }

    private static void addShare(List<String> remarks, String noun, double share) {
        if (share > 0) {
            remarks.add(noun + " " + QuantityFormat.percent(share));
        }
    }

    private static void addCount(List<String> remarks, String noun, double count) {
        if (count > 0) {
            remarks.add(QuantityFormat.count(count) + " " + noun);
        }
    }

    private static double number(JsonObject step, String key) {
        return step.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    private static Column count(String head, String key) {
        return column(head, key, QuantityFormat::count);
    }

    private static Column percent(String head, String key) {
        return column(head, key, QuantityFormat::percent);
    }

    private static Column latency(String head, String key) {
        return column(head, key, nanos -> QuantityFormat.latency(Math.round(nanos)));
    }

    private static Column column(String head, String key, Function<Double, String> format) {
        return new Column(
                head,
                Math.max(5, head.length()),
                step -> step.containsKey(key) ? format.apply(number(step, key)) : QuantityFormat.NONE);
    }

    /** A column; of width 0 if it is the last one, which is not aligned. */
    private record Column(String title, int width, Function<JsonObject, String> value) {
        String head() {
            return aligned(title);
        }

        String cell(JsonObject step) {
            return aligned(value.apply(step));
        }

        private String aligned(String text) {
            return " ".repeat(Math.max(0, width - text.length())) + text;
        }
    }
}
