package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.CallInProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Formats the threads of a process: deadlocks first, then the threads of components, then the others. */
final class StackText {
    private final String component;
    private final boolean all;

    /** With a component, only its threads are shown, and those that hold locks that they wait for; null for every component. */
    StackText(String component, boolean all) {
        this.component = component;
        this.all = all;
    }

    /** Formats the answer of one process. */
    List<String> lines(JsonObject process) {
        List<String> lines = new ArrayList<>();
        if (process.get("error") != null) {
            lines.add(String.valueOf(process.get("error")));
            return lines;
        }
        lines.add("process " + process.get("pid") + " (" + role(process) + ")");
        List<JsonObject> threads = threads(process);
        lines.addAll(deadlocks(process, threads));
        List<JsonObject> shown = shown(process, threads);
        shown.forEach(thread -> lines.addAll(describe(thread)));
        long hidden = threads.size() - shown.size();
        if (hidden > 0) {
            lines.add("  " + hidden + " other threads" + (component == null ? " (--all shows them)" : ""));
        }
        return lines;
    }

    private static String role(JsonObject process) {
        Object worker = process.get("worker");
        return worker == null ? String.valueOf(process.get("role")) : "worker " + worker;
    }

    @SuppressWarnings("unchecked")
    private static List<JsonObject> threads(JsonObject process) {
        return process.get("threads") instanceof List<?> list ? (List<JsonObject>) list : List.of();
    }

    private static List<String> deadlocks(JsonObject process, List<JsonObject> threads) {
        Set<Object> deadlocked = deadlocked(process);
        if (deadlocked.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add("  DEADLOCK: " + deadlocked.size() + " threads wait for each other:");
        threads.stream()
                .filter(thread -> deadlocked.contains(thread.get("id")))
                .forEach(thread -> lines.add("    " + name(thread) + waiting(thread)));
        return lines;
    }

    private static Set<Object> deadlocked(JsonObject process) {
        return process.get("deadlocked") instanceof List<?> ids ? new HashSet<>(ids) : Set.of();
    }

    private List<JsonObject> shown(JsonObject process, List<JsonObject> threads) {
        Set<Object> shown = threads.stream()
                .filter(this::isWanted)
                .map(thread -> thread.get("id"))
                .collect(Collectors.toCollection(HashSet::new));
        Set<Object> deadlocked = component == null ? deadlocked(process) : Set.of();
        Set<Object> holders = threads.stream()
                .filter(thread -> shown.contains(thread.get("id")) && thread.get("heldById") != null)
                .map(thread -> thread.get("heldById"))
                .collect(Collectors.toSet());
        return threads.stream()
                .filter(thread -> shown.contains(thread.get("id"))
                        || deadlocked.contains(thread.get("id"))
                        || holders.contains(thread.get("id")))
                .sorted(Comparator.comparing(StackText::sortKey))
                .toList();
    }

    private boolean isWanted(JsonObject thread) {
        Object owner = thread.get("component");
        return component == null ? all || owner != null : component.equals(owner);
    }

    // Threads without a component come last.
    private static String sortKey(JsonObject thread) {
        Object owner = thread.get("component");
        return (owner == null ? "1" : "0" + owner) + " " + thread.get("name");
    }

    private static String name(JsonObject thread) {
        Object owner = thread.get("component");
        return (owner == null ? "" : owner + ": ") + "'" + thread.get("name") + "'";
    }

    private static String call(JsonObject thread) {
        return thread.get("seconds") instanceof Number seconds && seconds.doubleValue() >= 1
                ? " in " + thread.get("method") + "() of task " + thread.get("task") + " for "
                        + CallInProgress.duration((long) (seconds.doubleValue() * 1e9)) + ","
                : "";
    }

    private static String waiting(JsonObject thread) {
        if (thread.get("waitsFor") == null) {
            return "";
        }
        String holder = thread.get("heldBy") == null ? "" : ", held by '" + thread.get("heldBy") + "'";
        return " waits for " + thread.get("waitsFor") + holder;
    }

    private static List<String> describe(JsonObject thread) {
        List<String> lines = new ArrayList<>();
        lines.add("  " + name(thread) + " " + thread.get("state")
                + (Boolean.TRUE.equals(thread.get("native")) ? " in native code" : "") + call(thread)
                + waiting(thread));
        if (thread.get("stack") instanceof List<?> stack) {
            stack.forEach(frame -> lines.add("      " + frame));
        }
        return lines;
    }
}
