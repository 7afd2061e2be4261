package io.updraft.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The archive of the classes that short commands load. The launcher passes it to the JVM, whose start then takes less time.
 * If the launcher finds none, a process of low priority makes it after the first short command.
 */
public final class ClassArchive {
    /** The system property with the file of the archive, which the launcher sets when there is none. */
    private static final String FILE_PROPERTY = "updraft.archive";

    private static final long SHORT_SECONDS = 60;
    private static final int CONTAINERS_PROCESS = 1;
    private static final int NATIVE_ACCESS_FROM = 24;

    /**
     * Makes the archive in a directory that is also the lock: another process that makes the same archive meanwhile gives up.
     * Removes all but the newest four archives: each JVM and each version has its own. After a failure the directory stays, so that
     * the next try is ten minutes later. The first JVM lists the classes that it loads, and the second one archives them: unlike a
     * JVM that archives its own classes, it can archive those of an old format, as picocli's are. Arguments: the archive's file,
     * the directory, the JVM, the class path, the class that runs typical commands, more options of the JVM.
     */
    private static final String SCRIPT = """
            umask 077
            archive=$1
            making=$2
            java=$3
            jars=$4
            training=$5
            shift 5
            mkdir -p "${archive%/*}" || exit
            find "${archive%/*}" -name '*.making' -mmin +10 -exec rm -rf {} +
            mkdir "$making" || exit
            nice -n 19 "$java" "$@" -XX:+UseParallelGC -XX:MaxRAMPercentage=50 -XX:DumpLoadedClassList="$making/list" \\
                -Dupdraft.state="$making" -cp "$jars" "$training" "$making" &&
                nice -n 19 "$java" "$@" -XX:+UseG1GC -Xshare:dump -XX:SharedClassListFile="$making/list" \\
                    -XX:SharedArchiveFile="$making/archive" -cp "$jars" &&
                mv -f "$making/archive" "$archive" || exec find "$making" -mindepth 1 -delete
            rm -rf "$making"
            ls -t "${archive%/*}"/*.jsa | tail -n +5 | while read -r old; do rm -f "$old"; done
            """;

    private ClassArchive() {}

    /**
     * Starts a process that makes the archive, and does not wait for it. Does nothing if there is an archive, if the command took
     * long, or in a container's first process, with which all others end. A failure does nothing.
     *
     * @param training the class that runs typical commands; its argument is a directory for their files
     * @param nanos how long the command took
     */
    public static void makeAfter(Class<?> training, long nanos) {
        String file = System.getProperty(FILE_PROPERTY);
        if (file == null
                || TimeUnit.NANOSECONDS.toSeconds(nanos) > SHORT_SECONDS
                || ProcessHandle.current().pid() == CONTAINERS_PROCESS) {
            return;
        }
        try {
            start(file, Path.of(System.getProperty("java.home"), "bin", "java"), training.getName());
        } catch (IOException e) {
            // The command itself has succeeded.
        }
    }

    static Process start(String file, Path java, String training) throws IOException {
        return new ProcessBuilder(command(file, java, training))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    /** The class path and the access to native code are as for a job; with others, the JVM would not use the archive. */
    private static List<String> command(String file, Path java, String training) {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                SCRIPT,
                "sh",
                file,
                file + ".making",
                java.toString(),
                System.getProperty("java.class.path"),
                training));
        if (Runtime.version().feature() >= NATIVE_ACCESS_FROM) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        return command;
    }
}
