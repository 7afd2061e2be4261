package io.updraft.observe.history;

import io.updraft.engine.snapshot.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts moves together that an operator reads as one: executors of one component that move the same way for the same reason, each at
 * most two seconds after the one before.
 */
final class MoveGroups {
    private static final long GAP_MILLIS = 2_000;

    private static final Pattern EXECUTOR = Pattern.compile("(?<component>.+), task \\d+", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

    private final List<List<Move>> groups = new ArrayList<>();
    private final Map<List<String>, List<Move>> open = new HashMap<>();

    private MoveGroups() {}

    /**
     * {@return a move for each group, with the time of its first}
     *
     * @param moves the moves, the oldest first
     */
    static List<Move> of(List<Move> moves) {
        MoveGroups all = new MoveGroups();
        moves.forEach(all::add);
        return all.groups.stream().map(MoveGroups::one).toList();
    }

    private void add(Move move) {
        Matcher executor = EXECUTOR.matcher(move.subject());
        List<Move> group = executor.matches() ? open.get(kind(executor.group("component"), move)) : null;
        if (group == null || move.timeMillis() - group.get(group.size() - 1).timeMillis() > GAP_MILLIS) {
            group = new ArrayList<>();
            groups.add(group);
            if (executor.matches()) {
                open.put(kind(executor.group("component"), move), group);
            }
        }
        group.add(move);
    }

    private static List<String> kind(String component, Move move) {
        return List.of(
                component, withoutNumbers(move.from()), withoutNumbers(move.to()), withoutNumbers(move.reason()));
    }

    private static String withoutNumbers(String text) {
        return NUMBER.matcher(text).replaceAll("");
    }

    private static Move one(List<Move> group) {
        Move first = group.get(0);
        long subjects = group.stream().map(Move::subject).distinct().count();
        if (group.size() == 1) {
            return first;
        }
        Matcher executor = EXECUTOR.matcher(first.subject());
        String subject = subjects > 1 && executor.matches()
                ? subjects + " executors of " + executor.group("component")
                : first.subject();
        return new Move(
                first.timeMillis(),
                group.size() > subjects ? subject + " (" + group.size() + " times)" : subject,
                subjects > 1 ? several(group.stream().map(Move::from).distinct().toList()) : first.from(),
                subjects > 1 ? several(group.stream().map(Move::to).distinct().toList()) : first.to(),
                first.reason());
    }

    private static String several(List<String> places) {
        if (places.size() > 1) {
            return "their loops";
        }
        return places.get(0).equals("a thread of its own") ? "threads of their own" : places.get(0);
    }

    /** {@return whether a move, or a group of them, is of executors of a component} */
    static boolean isOf(String component, Move move) {
        String subject = move.subject().replaceFirst(" \\(\\d+ times\\)$", "");
        return subject.startsWith(component + ", task ")
                || subject.endsWith(" executors of " + component)
                        && subject.substring(0, subject.length() - component.length())
                                .matches("\\d+ executors of ");
    }
}
