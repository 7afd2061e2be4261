package io.updraft.bench.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares a program's behaviour on Storm and Updraft. Both sides must have the same components with the same numbers of
 * executors and tasks, tuples on the same streams and to the same bolts, acks to the same spouts, and the same reported
 * exceptions. The output must satisfy the program's own rules.
 */
final class BehaviourComparison {
    private static final int MOST_SHOWN = 4;

    private final ComparedProgram program;
    private final BehaviourObservation storm;
    private final BehaviourObservation updraft;
    private final List<String> differences = new ArrayList<>();

    private BehaviourComparison(ComparedProgram program, BehaviourObservation storm, BehaviourObservation updraft) {
        this.program = program;
        this.storm = storm;
        this.updraft = updraft;
    }

    /** {@return a description of each difference; empty when both behaved the same} */
    static List<String> differences(ComparedProgram program, BehaviourObservation storm, BehaviourObservation updraft) {
        return new BehaviourComparison(program, storm, updraft).compare();
    }

    private List<String> compare() {
        if (storm.ran() != updraft.ran()) {
            differences.add(storm.ran() ? "no topology on Updraft" : "no topology on Storm");
        }
        if (!storm.end().equals(updraft.end())) {
            differences.add("on Storm it " + storm.end() + ", on Updraft it " + updraft.end());
        }
        equal("executors");
        equal("tasks");
        sameStreams("streams emitted to", "emitted");
        sameStreams("streams executed", "executed");
        sameStreams("streams acked", "acked");
        if (!program.overload()) {
            sameStreams("streams failed", "failed");
        }
        sameNames("errors", errors(storm), errors(updraft));
        program.same().forEach(this::sameOutput);
        program.both().forEach(this::bothOutput);
        return differences;
    }

    private void equal(String kind) {
        Map<String, Long> differing = new TreeMap<>(updraft.counts(kind));
        differing.entrySet().removeAll(storm.counts(kind).entrySet());
        Map<String, Long> missing = new TreeMap<>(storm.counts(kind));
        missing.entrySet().removeAll(updraft.counts(kind).entrySet());
        if (!differing.isEmpty() || !missing.isEmpty()) {
            differences.add(kind + ": Storm " + missing + ", Updraft " + differing);
        }
    }

    private static Set<String> positive(String kind, BehaviourObservation side) {
        return side.counts(kind).entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Compares counts by stream. If a side has one count for several streams of a component, named {@code *} or {@code *:*},
     * the component's streams are compared as one.
     */
    private void sameStreams(String what, String kind) {
        Set<String> ofStorm = positive(kind, storm);
        Set<String> ofUpdraft = positive(kind, updraft);
        Set<String> together = Stream.concat(ofStorm.stream(), ofUpdraft.stream())
                .filter(name -> name.endsWith("*"))
                .map(BehaviourComparison::component)
                .collect(Collectors.toSet());
        sameNames(what, summed(ofStorm, together), summed(ofUpdraft, together));
    }

    private static Set<String> summed(Set<String> streams, Set<String> together) {
        return streams.stream()
                .map(name -> together.contains(component(name)) ? component(name) : name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String component(String name) {
        return name.substring(0, name.indexOf(' '));
    }

    /** {@return component and class of each exception, without the message, which contains places and times} */
    private static Set<String> errors(BehaviourObservation side) {
        return side.counts("error").keySet().stream()
                .map(error -> error.replaceFirst("(\\S+ [\\w.$]+).*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void sameNames(String what, Set<String> ofStorm, Set<String> ofUpdraft) {
        Set<String> missing = new TreeSet<>(ofStorm);
        missing.removeAll(ofUpdraft);
        Set<String> more = new TreeSet<>(ofUpdraft);
        more.removeAll(ofStorm);
        if (!missing.isEmpty()) {
            differences.add(what + " on Storm only: " + shown(missing));
        }
        if (!more.isEmpty()) {
            differences.add(what + " on Updraft only: " + shown(more));
        }
    }

    private void sameOutput(Pattern pattern) {
        Set<String> ofStorm = storm.found(pattern);
        sameNames("output", ofStorm, updraft.found(pattern));
        if (ofStorm.isEmpty()) {
            differences.add("Storm printed nothing like '" + pattern + "'");
        }
    }

    private void bothOutput(Pattern pattern) {
        if (storm.found(pattern).isEmpty()) {
            differences.add("Storm printed nothing like '" + pattern + "'");
        }
        if (updraft.found(pattern).isEmpty()) {
            differences.add("Updraft printed nothing like '" + pattern + "'");
        }
    }

    private static String shown(Set<String> names) {
        String some = names.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
        return names.size() > MOST_SHOWN ? some + " and " + (names.size() - MOST_SHOWN) + " more" : some;
    }
}
