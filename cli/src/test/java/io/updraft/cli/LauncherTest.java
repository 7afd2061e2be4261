package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the script {@code updraft} in a checkout whose Maven and Java only print that they are called. */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();

    @TempDir
    Path directory;

    private Path checkout;
    private Path target;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectory(directory.resolve("checkout"));
        target = checkout.resolve("cli/target");
        for (String module : List.of(
                "base",
                "engine",
                "observe",
                "cluster",
                "storm",
                "aggregate",
                "transports",
                "console",
                "cli",
                "bench",
                "examples")) {
            Files.createDirectory(checkout.resolve(module));
        }
        Files.createFile(checkout.resolve("pom.xml"));
        Files.createDirectories(checkout.resolve("examples/one/target"));
        Files.createFile(checkout.resolve("examples/one/pom.xml"));
        Path functions = Path.of("dist/src/main/dist/lib/launcher.sh");
        Files.createDirectories(checkout.resolve(functions).getParent());
        Files.copy(ROOT.resolve(functions), checkout.resolve(functions));
        program(checkout.resolve("updraft"), Files.readString(ROOT.resolve("updraft")));
        program(checkout.resolve("mvnw"), "#!/bin/sh\necho no Maven here\nexit 1\n");
        Path jdk = directory.resolve("jdk/bin");
        Files.createDirectories(jdk);
        program(jdk.resolve("java"), "#!/bin/sh\necho ran with \"$LC_CTYPE\" and \"$HOME\"\n");
        program(jdk.resolve("javac"), "#!/bin/sh\n");
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Makes a build that is older or newer than the sources. */
    private void build(boolean old) throws IOException {
        Files.createDirectories(target.resolve("lib-1"));
        Path current = Files.writeString(target.resolve("updraft-lib"), "lib-1\n");
        Instant now = Instant.now();
        Files.setLastModifiedTime(current, FileTime.from(old ? now.minusSeconds(3_600) : now.plusSeconds(3_600)));
    }

    /** Creates a file in place of the lock's directory, so that no user can take the lock, not even root. */
    private void makeTargetUnwritable() throws IOException {
        Files.createDirectories(target);
        Files.createFile(target.resolve("updraft-lock"));
    }

    @Test
    void shouldSayThatItCannotBuildWhereItCannotWrite() throws Exception {
        makeTargetUnwritable();
        Result result = run(Map.of());
        assertThat(result.code).isEqualTo(2);
        assertThat(result.lines)
                .containsExactly("updraft: Updraft must be built, but " + target
                        + " is not writable: build as the user who owns it");
    }

    @Test
    void shouldRunTheBuildThatIsThereWhereItCannotWrite() throws Exception {
        makeTargetUnwritable();
        build(true);
        Result result = run(Map.of());
        assertThat(result.code).isZero();
        assertThat(result.lines).hasSize(2);
        assertThat(result.lines.get(0)).startsWith("updraft: running an old build: the sources are newer, but ");
        assertThat(result.lines.get(1)).startsWith("ran with");
    }

    @Test
    void shouldNotBuildToAskARun() throws Exception {
        build(true);
        program(directory.resolve("jdk/bin/java"), "#!/bin/sh\necho ran with \"$*\"\n");
        Result result = run(Map.of("UPDRAFT_JAVA_OPTS", "-Xmx7g"), "ps", "--json");
        assertThat(result.code).isZero();
        assertThat(result.lines)
                .singleElement()
                .asString()
                .contains("-XX:TieredStopAtLevel=1")
                .endsWith("io.updraft.cli.Main ps --json")
                .doesNotContain("-Xmx7g");
    }

    /** Makes a build with a jar, and a JVM that prints its command line. */
    private void buildForArchives() throws IOException {
        build(false);
        Files.createFile(target.resolve("lib-1/updraft-cli-1.jar"));
        Files.createFile(target.resolve("lib-1/asm.jar"));
        Files.createFile(Files.createDirectories(directory.resolve("jdk/lib")).resolve("modules"));
        program(directory.resolve("jdk/bin/java"), "#!/bin/sh\necho \"$*\"\n");
    }

    /** Returns the archive that a start asks Updraft to make. */
    private Path missingArchive(String... args) throws Exception {
        Result result = run(Map.of(), args);
        assertThat(result.code).isZero();
        return Path.of(result.lines.get(0).replaceFirst(".*-Dupdraft\\.archive=(\\S+).*", "$1"));
    }

    @Test
    void shouldStartWithTheArchiveOfClasses() throws Exception {
        buildForArchives();
        Path archive = missingArchive("aggregate", "--from", "run");
        assertThat(archive.getParent()).isEqualTo(directory.resolve("state/updraft/classes"));
        Files.createFile(Files.createDirectories(archive.getParent()).resolve(archive.getFileName()));
        for (String command : List.of("aggregate", "--version", "ps")) {
            assertThat(run(Map.of(), command).lines)
                    .singleElement()
                    .asString()
                    .contains("-XX:SharedArchiveFile=" + archive)
                    .doesNotContain("-Dupdraft.archive", "-Xshare:off", "SystemClassLoader");
        }
    }

    @Test
    void shouldNotUseTheArchiveOfOtherJarsOrOfAnotherJvm() throws Exception {
        buildForArchives();
        Path archive = missingArchive("aggregate");
        Files.createFile(Files.createDirectories(archive.getParent()).resolve(archive.getFileName()));
        Files.writeString(target.resolve("lib-1/asm.jar"), "newer");
        Path ofNewJars = missingArchive("aggregate");
        assertThat(ofNewJars).isNotEqualTo(archive);
        Files.writeString(directory.resolve("jdk/lib/modules"), "newer");
        assertThat(missingArchive("aggregate")).isNotEqualTo(archive).isNotEqualTo(ofNewJars);
    }

    @Test
    void shouldRunAProgramWithItsClassLoaderAndWithoutAnArchive() throws Exception {
        buildForArchives();
        for (List<String> command : List.of(List.of("run", "x.jar"), List.of("--stacktrace", "advise", "x.jar"))) {
            assertThat(run(Map.of(), command.toArray(String[]::new)).lines)
                    .singleElement()
                    .asString()
                    .contains("-Xshare:off", "-Djava.system.class.loader=io.updraft.storm.launch.SystemClassLoader")
                    .doesNotContain("updraft.archive", "SharedArchiveFile");
        }
    }

    @Test
    void shouldNotMakeAnArchiveWithOptionsOfTheUser() throws Exception {
        buildForArchives();
        assertThat(run(Map.of("UPDRAFT_JAVA_OPTS", "-Xmx7g"), "aggregate").lines)
                .singleElement()
                .asString()
                .contains("-Xmx7g")
                .doesNotContain("updraft.archive", "SharedArchiveFile");
    }

    @Test
    void shouldPutTheJarsInAFixedOrder() throws Exception {
        buildForArchives();
        Path lib = target.resolve("lib-1");
        Files.createFile(Files.createDirectories(lib.resolve("part")).resolve("updraft-part-1.jar"));
        Files.createFile(lib.resolve("part/zstd.jar"));
        Files.createFile(lib.resolve("picocli-1.jar"));
        assertThat(run(Map.of("LC_ALL", "C"), "ps").lines)
                .singleElement()
                .asString()
                .contains(" -cp " + lib + "/updraft-cli-1.jar:" + lib + "/part/updraft-part-1.jar:" + lib
                        + "/picocli-1.jar:" + lib + "/asm.jar:" + lib + "/part/zstd.jar ");
    }

    @Test
    void shouldBreakALockWhoseOwnerIsGone() throws Exception {
        build(true);
        Files.createDirectories(target.resolve("updraft-lock"));
        Files.writeString(target.resolve("updraft-lock/pid"), "2147483647\n");
        Result result = run(Map.of());
        assertThat(result.lines.get(0)).isEqualTo("building Updraft, sources have changed (about 20 s)...");
        assertThat(result.lines.get(1)).startsWith("updraft: the build failed; see ");
        assertThat(target.resolve("updraft-lock")).doesNotExist();
    }

    @Test
    void shouldSayThatABenchmarkIsBuiltForTheFirstTime() throws Exception {
        build(false);
        Result result = run(Map.of(), "bench", "aggregate", "peers");
        assertThat(result.lines.get(0))
                .isEqualTo("building Updraft, with the modules of the benchmark, first use only (about 60 s)...");
    }

    @Test
    void shouldFindItsHomeAndALocaleWithoutAnEnvironment() throws Exception {
        build(false);
        Result result = run(Map.of("HOME", "", "LC_ALL", "C"));
        assertThat(result.code).isZero();
        assertThat(result.lines).singleElement().asString().startsWith("ran with C.UTF-8 and /");
    }

    @Test
    void shouldSayThatTooFewFilesMayBeOpen() throws Exception {
        build(false);
        Result result = execute(
                Map.of(),
                List.of(
                        "sh",
                        "-c",
                        "ulimit -n 64; exec \"$0\"",
                        checkout.resolve("updraft").toString()));
        assertThat(result.code).isEqualTo(2);
        assertThat(result.lines)
                .containsExactly(
                        "updraft: at most 64 files may be open (ulimit -n), and 256 are needed; raise the limit");
    }

    private Result run(Map<String, String> environment, String... args) throws Exception {
        List<String> command =
                new java.util.ArrayList<>(List.of(checkout.resolve("updraft").toString()));
        command.addAll(List.of(args));
        return execute(environment, command);
    }

    private Result execute(Map<String, String> environment, List<String> command) throws Exception {
        Path out = directory.resolve("out.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readAllLines(out));
    }

    private record Result(int code, List<String> lines) {}
}
