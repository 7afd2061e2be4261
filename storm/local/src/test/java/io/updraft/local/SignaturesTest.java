package io.updraft.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the descriptors in class files: code that is compiled against Storm's server must link with the classes here. */
class SignaturesTest {
    private static final Pattern TYPE = Pattern.compile("(?:class|interface) ([\\w.$]+)(?: extends ([\\w.$,]+))?.*\\{");
    private static final Pattern MEMBER = Pattern.compile("\\s+(.*?)([\\w.$]+)(\\(.*\\))?(?: throws .*)?;");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.storm.LocalCluster",
                "org.apache.storm.LocalCluster$Builder",
                "org.apache.storm.LocalCluster$LocalTopology",
                "org.apache.storm.ILocalClusterTrackedTopologyAware",
                "org.apache.storm.LocalDRPC",
                "org.apache.storm.Testing",
                "org.apache.storm.Testing$Condition",
                "org.apache.storm.Testing$CapturedTopology",
                "org.apache.storm.testing.CompleteTopologyParam",
                "org.apache.storm.testing.TestJob",
                "org.apache.storm.testing.TrackedTopology"
            })
    void shouldHaveAllThatProgramsMayUseOfStormsClass(String name) throws IOException {
        Set<String> storms = members(storm(), name, false);
        assertThat(storms).isNotEmpty();
        assertThat(members(CLASS_PATH, name, true)).containsAll(storms);
    }

    @Test
    void shouldHaveAllCallsOfNimbus() throws IOException {
        Set<String> calls = members(CLASS_PATH, "org.apache.storm.generated.Nimbus$Iface", false);
        assertThat(calls).hasSizeGreaterThan(50);
        String nimbus = "org.apache.storm.daemon.nimbus.Nimbus";
        assertThat(members(storm(), nimbus, false)).containsAll(calls);
        assertThat(members(CLASS_PATH, nimbus, true))
                .containsAll(calls)
                .contains("()V shutdown", "()Z isWaiting", "(JLjava/util/concurrent/TimeUnit;)Z awaitLeadership");
    }

    /** A class of ours under a name of Storm's stands in for one that is there, else it would be an invention. */
    @Test
    void shouldTakeNoNamesThatStormDoesNotHave() throws IOException {
        Path classes = Path.of("target", "classes");
        try (Stream<Path> files = Files.walk(classes.resolve("org/apache/storm"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".class"))
                            .map(file -> classes.relativize(file).toString())
                            .filter(file -> !file.endsWith("package-info.class"))
                            .map(file -> file.substring(0, file.length() - ".class".length())
                                    .replace(File.separatorChar, '.'))
                            .toList())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(dump(stormJar(), name)).contains(" " + name));
        }
    }

    private static String stormJar() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of("target", "storm"))) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith("storm-server-"))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    /** Storm's server, and behind it what it depends on, as far as signatures go. */
    private static String storm() throws IOException {
        return stormJar() + File.pathSeparator + CLASS_PATH;
    }

    /** Descriptors and names of what is public or protected, {@code static} before them; of superclasses too, if asked for. */
    private static Set<String> members(String classPath, String name, boolean inherited) {
        Set<String> found = new TreeSet<>();
        Deque<String> types = new ArrayDeque<>(Set.of(name));
        while (!types.isEmpty()) {
            String type = types.pop();
            for (Map.Entry<String, String> member :
                    declared(classPath, type, inherited ? types : null).entrySet()) {
                boolean constructor = member.getValue().endsWith(" <init>");
                if (!constructor || type.equals(name)) {
                    found.add(member.getValue());
                }
            }
        }
        return found;
    }

    /** Members by their line in the output of {@code javap}. */
    private static Map<String, String> declared(String classPath, String type, Deque<String> supers) {
        Map<String, String> members = new LinkedHashMap<>();
        String line = null;
        for (String next : dump(classPath, type).split("\\R")) {
            Matcher head = TYPE.matcher(next);
            if (!next.startsWith(" ") && head.find()) {
                if (supers != null && head.group(2) != null && !head.group(2).startsWith("java.")) {
                    supers.addAll(Set.of(head.group(2).split(",")));
                }
            } else if (next.strip().startsWith("descriptor: ")) {
                members.put(line, describe(line, next.strip().substring("descriptor: ".length()), type));
            } else {
                line = next;
            }
        }
        return members;
    }

    private static String describe(String line, String descriptor, String type) {
        Matcher member = MEMBER.matcher(line);
        if (!member.matches()) {
            return descriptor + " " + line.strip();
        }
        String name = member.group(2).equals(type.replace('$', '.'))
                        || member.group(2).equals(type)
                ? "<init>"
                : member.group(2);
        return (line.contains(" static ") ? "static " : "") + descriptor + " " + name;
    }

    private static String dump(String classPath, String type) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        "-protected",
                        "-s",
                        "-cp",
                        classPath,
                        type);
        assertThat(err.toString()).isEmpty();
        return out.toString();
    }
}
