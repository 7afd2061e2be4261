package io.updraft.storm.program;

import io.updraft.storm.text.Spelling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;

/** Suggests names of classes in a jar for a mistyped class name. */
public final class JarClasses {
    private static final int MAX_SUGGESTIONS = 3;
    private static final String SUFFIX = ".class";

    private JarClasses() {}

    /**
     * Returns up to three names that are similar to a missing one, the most similar first; none if the jar cannot be read.
     */
    public static List<String> near(Path jar, String wanted) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(SUFFIX) && !name.contains("-info") && !name.startsWith("META-INF/"))
                    .map(name ->
                            name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
                    .map(name -> new Candidate(name, Spelling.edits(simple(name), simple(wanted))))
                    .filter(candidate -> isNear(candidate, wanted))
                    .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                    .limit(MAX_SUGGESTIONS)
                    .map(Candidate::name)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Returns whether a candidate has the same simple name in any package, or a similar simple name in the same package.
     * Ignores case.
     */
    private static boolean isNear(Candidate candidate, String wanted) {
        int limit = Math.max(1, simple(wanted).length() / 3);
        boolean samePlace = place(candidate.name).equals(place(wanted));
        return candidate.distance == 0 || samePlace && candidate.distance <= limit;
    }

    private static String simple(String name) {
        String normal = normal(name);
        return normal.substring(normal.lastIndexOf('.') + 1);
    }

    /** Returns the package, and the enclosing class of a nested class. */
    private static String place(String name) {
        String normal = normal(name);
        return normal.substring(0, normal.lastIndexOf('.') + 1);
    }

    private static String normal(String name) {
        return name.replace('/', '.').replace('$', '.').toLowerCase(Locale.ROOT);
    }

    private record Candidate(String name, int distance) {}
}
