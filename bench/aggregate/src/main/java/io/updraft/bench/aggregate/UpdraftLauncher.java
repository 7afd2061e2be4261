package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of Updraft as a user starts it: the functions of {@code launcher.sh}, which the script of an installation
 * consists of, with the class path of this checkout's build. The checkout's own script would also look for changed sources.
 */
final class UpdraftLauncher {

    private static final Path FUNCTIONS = Path.of("dist/src/main/dist/lib/launcher.sh");
    private static final String MAIN = "/io/updraft/cli/Main.class";
    private static final String SCRIPT =
            "set -eu; . \"$0\"; root=$1; path=$2; [ -d \"$path\" ] || find_class_path() { class_path=$1; }; shift 2; prepare \"$root\"; run_updraft \"$root\" \"$path\" \"$@\"";

    private UpdraftLauncher() {}

    /** {@return the command that starts Updraft with arguments} */
    static List<String> command(List<String> arguments) throws IOException {
        Path root = root();
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", SCRIPT, root.resolve(FUNCTIONS).toString(), root.toString(), classPath(root)));
        command.addAll(arguments);
        return command;
    }

    /** {@return whether a run makes an archive of its classes; the JVM makes none of directories, as in tests} */
    static boolean makesArchive() {
        return UpdraftLauncher.class.getResource(MAIN) == null;
    }

    private static Path root() {
        for (Path at = BenchClassPaths.placeOf(UpdraftLauncher.class); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(FUNCTIONS))) {
                return at;
            }
        }
        throw new IllegalStateException("the bench does not run in a checkout of Updraft");
    }

    /** Returns the class path of this JVM if it has the command line, as in tests; else the directory of jars of the last build by the script. */
    private static String classPath(Path root) throws IOException {
        if (!makesArchive()) {
            return BenchClassPaths.updraft();
        }
        Path target = root.resolve("cli/target");
        String jars = Files.readString(target.resolve("updraft-lib")).strip();
        return target.resolve(jars).toString();
    }
}
