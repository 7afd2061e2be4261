package io.updraft.bench;

import io.updraft.base.json.Json;
import io.updraft.bench.child.ChildMain;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Finds the class path of a child JVM. There are four: Updraft's, Storm's with the classes of bench and base as the only ones of
 * Updraft, the latter with the fixture that starts a Storm cluster, and the one of bench/aggregate, which has Flink's jars.
 */
public final class BenchClassPaths {

    private static final Path IN_BUILD = Path.of("bench", "storm-runtime", "target", "lib");
    private static final Path CLUSTER_RUNTIME = Path.of("bench", "storm-cluster", "target", "classes");
    private static final Path AGGREGATE = Path.of("bench", "aggregate", "target");
    private static final Path SERVERS = Path.of("fixtures/servers", "target", "classes");
    private static final Path CLUSTER = Path.of("fixtures/storm-cluster", "target", "classes");
    private static final Path CLUSTER_JARS = Path.of("fixtures/storm-cluster", "target", "storm", "lib-worker");
    private static final Path ARCHIVE = Path.of("storm/cluster", "target");
    private static final String ARCHIVES = "updraft-storm-.*\\.tar\\.gz";
    private static final Pattern FLINK = Pattern.compile("flink-runtime-(.*)\\.jar");
    private static final String BUILD_CLUSTER = "bench/storm-cluster -am package -DskipTests";

    private BenchClassPaths() {}

    /** {@return the class path of this JVM} */
    public static String updraft() {
        return System.getProperty("java.class.path");
    }

    /** {@return the class path of a child JVM that runs Storm in one process} */
    public static String storm() {
        return withBench(find(IN_BUILD, "--vs", "storm", "bench/storm-runtime package"));
    }

    /**
     * Builds the class path of a harness that runs on a Storm cluster. The cluster's own processes have other class paths.
     *
     * @param option the option that requests the cluster, for messages
     */
    public static String stormCluster(String option, String value) {
        return withBench(Stream.of(CLUSTER_RUNTIME, CLUSTER, CLUSTER_JARS)
                .map(part -> find(part, option, value, BUILD_CLUSTER))
                .toArray(Path[]::new));
    }

    /** {@return a class path of the bench, what it stands on, and further directories of classes or, last, of jars} */
    private static String withBench(Path... more) {
        return Stream.concat(
                        Stream.of(ChildMain.class, Json.class, Histogram.class).map(BenchClassPaths::placeOf),
                        Stream.of(more))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator, "", File.separator + "*"));
    }

    /**
     * Finds the newest archive that installs Updraft's workers into a Storm cluster.
     *
     * @param option the option that requests the cluster, for messages
     */
    static Path archive(String option, String value) {
        return look(ARCHIVE)
                .flatMap(BenchClassPaths::newestArchive)
                .orElseThrow(() -> new UsageError(
                        option,
                        value,
                        "Updraft's archive for Storm is not built; build it with ./mvnw -q -pl " + BUILD_CLUSTER));
    }

    private static Optional<Path> newestArchive(Path directory) {
        File[] archives = directory.toFile().listFiles((parent, name) -> name.matches(ARCHIVES));
        return Stream.ofNullable(archives)
                .flatMap(Stream::of)
                .max(Comparator.comparingLong(File::lastModified))
                .map(File::toPath);
    }

    /**
     * Builds the class path of the module bench/aggregate, whose jars the command line does not ship.
     *
     * @param option the option or command that needs the class path, for messages
     */
    public static String aggregate(String option, String value) {
        return Stream.of(AGGREGATE.resolve("classes"), SERVERS, AGGREGATE.resolve("lib"))
                .map(inBuild -> look(inBuild)
                        .orElseThrow(() -> new UsageError(
                                option,
                                value,
                                "its classes are not built; build them with "
                                        + "./mvnw -q -pl bench/aggregate -am package -DskipTests")))
                .map(path -> path.endsWith("lib") ? path.resolve("*").toString() : path.toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** {@return Flink's version, such as {@code 2.3.0}, from the name of a jar on the class path of bench/aggregate} */
    public static String flinkVersion() {
        File[] jars = look(AGGREGATE.resolve("lib"))
                .map(library -> library.toFile()
                        .listFiles((parent, name) -> FLINK.matcher(name).matches()))
                .orElse(new File[0]);
        return Stream.of(jars)
                .map(jar -> FLINK.matcher(jar.getName()).replaceFirst("$1"))
                .findFirst()
                .orElse("of unknown version");
    }

    private static Path find(Path inBuild, String option, String value, String remedy) {
        return look(inBuild)
                .orElseThrow(() -> new UsageError(
                        option,
                        value,
                        "Storm's jars are not in the build; get them with ./mvnw -q " + "-pl " + remedy));
    }

    private static Optional<Path> look(Path inBuild) {
        for (Path at = placeOf(ChildMain.class); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(inBuild))) {
                return Optional.of(at.resolve(inBuild));
            }
        }
        return Optional.empty();
    }

    /** {@return the jar or directory of a class} */
    public static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
