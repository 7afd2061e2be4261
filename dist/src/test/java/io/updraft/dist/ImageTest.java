package io.updraft.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The container image, unpacked layer by layer and run as its configuration says, without a container engine: in a mount namespace,
 * below a root directory that has the image's files, and the libraries and the JRE of this machine in place of a base image.
 */
@Tag("slow")
final class ImageTest {
    private static final Path IMAGE = Path.of(System.getProperty("updraft.image"));
    private static final String WORDS = "/opt/updraft/examples/wordcount";

    @TempDir
    static Path directory;

    private static Path root;
    private static Map<?, ?> configuration;

    @BeforeAll
    static void unpack() throws Exception {
        Path parts = Files.createDirectory(directory.resolve("parts"));
        root = Files.createDirectory(directory.resolve("root"));
        shell("tar xf '" + IMAGE + "' -C '" + parts + "'");
        Map<?, ?> manifest = (Map<?, ?>) ((List<?>) json(parts.resolve("manifest.json"))).get(0);
        for (Object layer : (List<?>) manifest.get("Layers")) {
            shell("tar xzf '" + parts.resolve((String) layer) + "' -C '" + root + "'");
        }
        configuration = (Map<?, ?>) ((Map<?, ?>) json(parts.resolve((String) manifest.get("Config")))).get("config");
    }

    private static Object json(Path file) throws Exception {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    private static Installation.Result shell(String script) throws Exception {
        return Installation.execute(directory, List.of("sh", "-c", script), directory);
    }

    @Test
    void shouldRunAsAUserWithoutRights() {
        assertThat(configuration.get("User")).isEqualTo("10001:10001");
        assertThat(configuration.get("Entrypoint")).isEqualTo(List.of("/opt/updraft/bin/updraft"));
    }

    @Test
    void shouldHaveTheArchivesFilesAndNothingElse() throws Exception {
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("opt", "state", "work");
        assertThat(new File(root.toFile(), "opt").list()).containsExactly("updraft");
        List<String> archived = Installation.listing().stream()
                .filter(line -> line.startsWith("-"))
                .map(line -> line.replaceFirst(".* updraft-[^/]*/", ""))
                .toList();
        Path installed = root.resolve("opt/updraft");
        try (var files = Files.walk(installed)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> installed.relativize(file).toString()))
                    .containsExactlyInAnyOrderElementsOf(archived);
        }
    }

    @Test
    void shouldPrintItsHelpWithoutArguments() throws Exception {
        Installation.Result result = run("");
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(result.all()).contains("aggregate", "run");
    }

    @Test
    void shouldCountWords() throws Exception {
        Installation.Result result = run("", "run", WORDS);
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(Files.readAllLines(root.resolve("work/counts.txt"))).contains("   9825 the");
    }

    @Test
    void shouldAggregate() throws Exception {
        Installation.Result result = run(
                "",
                "aggregate",
                "--from",
                "/opt/updraft/examples/aggregate/flights.csv.gz",
                "--group-by",
                "origin",
                "--count",
                "--every",
                "1d",
                "--to",
                "csv");
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(result.out()).anyMatch(line -> line.contains("JFK"));
    }

    @Test
    void shouldReportOnOneLineThatSharedMemoryIsSmall() throws Exception {
        Installation.Result result = run(
                "mount -t tmpfs -o size=64m,mode=1777 shm $root/dev/shm; ulimit -l 64",
                "run",
                "--workers",
                "2",
                "--transport",
                "aeron",
                WORDS,
                "--out",
                "small.txt");
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(Files.readAllLines(root.resolve("work/small.txt"))).contains("   9825 the");
        assertThat(result.err())
                .filteredOn(line -> line.contains("/dev/shm"))
                .singleElement()
                .asString()
                .startsWith("updraft: aeron: /dev/shm has only 64 MiB free");
    }

    @Test
    void shouldExplainThatNativeLibrariesCannotBeLoaded() throws Exception {
        Files.writeString(root.resolve("work/spill.yaml"), """
                source: {file: /opt/updraft/examples/aggregate/flights.csv.gz}
                format: csv
                flatten: {fields: {origin: text, when: {type: time, path: time_hour}}}
                time: {field: when, disorder: 1h}
                aggregate: {group_by: origin, every: 1d, measures: {n: count()}, limits: {groups: 2, spill: spill}}
                sinks: [{csv: spilled.csv}]
                """);
        Installation.Result spill = run("mount -o remount,noexec $root/tmp", "aggregate", "spill.yaml");
        assertThat(spill.code()).isEqualTo(1);
        assertThat(spill.err())
                .filteredOn(line -> line.contains("must not be mounted noexec"))
                .hasSize(1);
        Installation.Result ucx =
                run("mount -o remount,noexec $root/tmp", "run", "--workers", "2", "--transport", "ucx", WORDS);
        assertThat(ucx.code()).isNotZero();
        assertThat(ucx.err())
                .filteredOn(line -> line.contains("must not be mounted noexec"))
                .isNotEmpty();
    }

    @Test
    void shouldFollowTheLimitsOfItsControlGroup() throws Exception {
        Path memory = Path.of("/sys/fs/cgroup/memory");
        Path cpu = Path.of("/sys/fs/cgroup/cpu");
        assumeThat(Files.isWritable(memory) && Files.isWritable(cpu))
                .as("control groups of version 1 that this user may change")
                .isTrue();
        String group = "updraft-test-" + ProcessHandle.current().pid();
        Path limited = Files.createDirectory(memory.resolve(group));
        Path slow = Files.createDirectory(cpu.resolve(group));
        try {
            Files.writeString(limited.resolve("memory.limit_in_bytes"), Long.toString(512L << 20));
            Files.writeString(slow.resolve("cpu.cfs_quota_us"), "100000");
            Installation.Result result = run(
                    "echo $$ > " + limited + "/cgroup.procs; echo $$ > " + slow + "/cgroup.procs",
                    List.of("UPDRAFT_JAVA_OPTS=-Xlog:gc+heap+coops=debug -Xlog:os+container=trace"),
                    "run",
                    WORDS,
                    "--out",
                    "limited.txt");
            assertThat(result.code()).as(result.all()).isZero();
            assertThat(result.all()).contains("Heap address", "size: 256 MB", "OSContainer::active_processor_count: 1");
            assertThat(Files.readAllLines(root.resolve("work/limited.txt"))).contains("   9825 the");
        } finally {
            Files.delete(limited);
            Files.delete(slow);
        }
    }

    private static Installation.Result run(String before, String... arguments) throws Exception {
        return run(before, List.of(), arguments);
    }

    /**
     * Runs the image's entry point.
     *
     * @param before a script that runs before it, as root; {@code $root} is the image's root directory
     * @param environment in addition to the image's own
     */
    private static Installation.Result run(String before, List<String> environment, String... arguments)
            throws Exception {
        assumeThat(Installation.isRoot()
                        && shell("unshare --mount mount -t tmpfs test /mnt").code() == 0)
                .as("this user may mount directories")
                .isTrue();
        String script = String.join(
                "\n",
                "set -e",
                "root='" + root + "'",
                "for each in usr lib lib64 bin etc sys dev proc; do",
                "    [ -d /$each ] || continue",
                "    mkdir -p $root/$each; mount --rbind /$each $root/$each",
                "done",
                "mount -t proc proc $root/proc",
                "mkdir -p $root/tmp; mount -t tmpfs -o mode=1777 tmp $root/tmp",
                before,
                "exec chroot --userspec=" + configuration.get("User") + " $root /usr/bin/env -i -C "
                        + configuration.get("WorkingDir") + " \"$@\"");
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "sh",
                "-c",
                script,
                "sh",
                "PATH=/usr/bin:/bin"));
        command.add("JAVA_HOME=" + System.getProperty("java.home"));
        ((List<?>) configuration.get("Env")).forEach(variable -> command.add((String) variable));
        command.addAll(environment);
        ((List<?>) configuration.get("Entrypoint")).forEach(word -> command.add((String) word));
        command.addAll(arguments.length > 0 ? List.of(arguments) : words("Cmd"));
        return Installation.execute(directory, command, directory);
    }

    private static List<String> words(String key) {
        return ((List<?>) configuration.get(key))
                .stream().map(String.class::cast).toList();
    }
}
