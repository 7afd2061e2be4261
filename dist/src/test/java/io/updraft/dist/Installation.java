package io.updraft.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Unpacks the archive into a directory, and runs commands from it as a user does. */
final class Installation {
    private static final Path ARCHIVE = Path.of(System.getProperty("updraft.archive"));
    private static final long LIMIT_SECONDS = 240;

    /** The modules of a JRE 17 as Temurin ships it, as far as a JDK of any vendor has them. No compiler is among them. */
    private static final String JRE_MODULES =
            "java.se,jdk.crypto.ec,jdk.jfr,jdk.localedata,jdk.management,jdk.management.agent,"
                    + "jdk.naming.dns,jdk.net,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs";

    private final Path home;
    private final Path work;
    private final Path jre;
    private final List<String> asUser;

    private Installation(Path home, Path work, Path jre, List<String> asUser) {
        this.home = home;
        this.work = work;
        this.jre = jre;
        this.asUser = asUser;
    }

    /** What a command printed, and its exit code. */
    record Result(int code, List<String> out, List<String> err) {
        String all() {
            return String.join("\n", out) + "\n" + String.join("\n", err);
        }
    }

    static Path archive() {
        return ARCHIVE;
    }

    /** {@return the archive's listing by {@code tar}, a line for each entry} */
    static List<String> listing() throws Exception {
        Result result = execute(
                Path.of("."),
                List.of("tar", "--numeric-owner", "-tvzf", ARCHIVE.toString()),
                Files.createTempDirectory("listing"));
        assertThat(result.code).as(result.all()).isZero();
        return result.out;
    }

    /**
     * Unpacks the archive and makes a JRE without a compiler. Commands run as the user {@code nobody} when the test runs as root.
     *
     * @param directory an empty directory of the test's
     */
    static Installation into(Path directory) throws Exception {
        Path place = Files.createDirectories(directory.resolve("Mein Verzeichnis für Updraft"));
        Path work = Files.createDirectories(directory.resolve("work"));
        Result unpacked = execute(place, List.of("tar", "-xzf", ARCHIVE.toString()), work);
        assertThat(unpacked.code).as(unpacked.all()).isZero();
        Path jre = directory.resolve("jre");
        Result linked =
                execute(place, List.of(java("jlink"), "--add-modules", JRE_MODULES, "--output", jre.toString()), work);
        assertThat(linked.code).as(linked.all()).isZero();
        assertThat(jre.resolve("bin/javac")).doesNotExist();
        Path home = place.resolve("updraft-" + System.getProperty("updraft.version"));
        List<String> asUser = List.of();
        if (isRoot()) {
            asUser = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
            execute(work, List.of("chmod", "0777", work.toString()), work);
            open(directory);
        }
        return new Installation(home, work, jre, asUser);
    }

    /** Directories for tests belong to their user alone. Another user needs a way through them. */
    private static void open(Path directory) throws Exception {
        for (Path path = directory;
                path != null && path.startsWith(System.getProperty("java.io.tmpdir"));
                path = path.getParent()) {
            execute(directory, List.of("chmod", "a+x", path.toString()), directory.resolve("work"));
        }
    }

    private static String java(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    Path home() {
        return home;
    }

    Path work() {
        return work;
    }

    /** Runs {@code bin/updraft} to its end. */
    Result updraft(String... arguments) throws Exception {
        return updraft(home.resolve("bin/updraft"), List.of(), arguments);
    }

    /** Runs a launcher with additional environment variables, to its end. */
    Result updraft(Path launcher, List<String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(asUser);
        // With options of the user, no process makes an archive of classes while the test deletes its directory.
        command.addAll(List.of(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                "JAVA_HOME=" + jre,
                "XDG_STATE_HOME=" + work.resolve("state"),
                "UPDRAFT_JAVA_OPTS=-Dupdraft.test=true"));
        command.addAll(environment);
        command.add(launcher.toString());
        command.addAll(List.of(arguments));
        return execute(work, command, work);
    }

    /** Runs a shell script with the installation's environment to its end. */
    Result bash(String script) throws Exception {
        return execute(work, List.of("bash", "-c", script), work);
    }

    static Result execute(Path directory, List<String> command, Path files) throws Exception {
        Path out = Files.createTempFile(files, "out", ".txt");
        Path err = Files.createTempFile(files, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), lines(out), lines(err));
    }

    private static List<String> lines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Files.delete(file);
        return lines;
    }
}
