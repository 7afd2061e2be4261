package io.updraft.bench;

import io.updraft.bench.compat.CompatRequest;
import io.updraft.bench.option.UsageError;
import io.updraft.bench.process.BenchClassPaths;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code updraft bench compat}. Exits with 0 when every program that works on Storm behaved the same on Updraft, 1 when one
 * differed, 2 when the command line or the list of programs is wrong.
 */
@Command(
        name = "compat",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs programs written for Storm on Storm and on Updraft, and compares their behaviour.",
        description = {
            "",
            "Each program runs in two JVMs: once in Storm's LocalCluster and once with 'updraft run', each until its "
                    + "topology has run for --seconds. The command compares components, executors, tasks, the streams "
                    + "that carried tuples, acks and errors, as the Nimbus interface reports them, and checks the "
                    + "output rules of the program's list entry. The list is a YAML file; bench/compat has the lists "
                    + "behind docs/compatibility.md.",
            ""
        })
final class CompatCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAMS.yaml",
            description = "List of programs with their arguments and rules.")
    private Path programs;

    @Parameters(
            index = "1",
            paramLabel = "JAR",
            description = "Jar of the programs with their libraries but without storm-client, as for 'storm jar'.")
    private Path jar;

    @Option(
            names = "--files",
            paramLabel = "DIR",
            description = "Directory that replaces $${files} in arguments. Default: the directory of PROGRAMS.yaml.")
    private Path files;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "Run only programs whose name contains a match of REGEX.")
    private Pattern only;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "Seconds that each topology runs. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of both sides. Default: the JDK of this command.")
    private Path jdk;

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Directory for outputs, one subdirectory per program and side. Default: a temporary "
                    + "directory.")
    private Path directory;

    @Option(
            names = "--again",
            description = "Reuse earlier Storm runs found in --keep; run Storm only for the other programs.")
    private boolean again;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also write the table to FILE.")
    private Path markdown;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try {
            return request().run(spec.commandLine().getOut()) ? 0 : 1;
        } catch (UsageError | IllegalArgumentException e) {
            err.println("updraft bench compat: " + e.getMessage());
            err.flush();
            return CommandLine.ExitCode.USAGE;
        }
    }

    private CompatRequest request() throws IOException {
        if (!Files.isReadable(jar)) {
            throw new UsageError("JAR", jar, "cannot be read");
        }
        Path outputs = directory == null ? Files.createTempDirectory("updraft-compat-") : directory;
        return new CompatRequest(
                jar,
                programs,
                files == null ? programs.toAbsolutePath().getParent() : files,
                only,
                Duration.ofSeconds(seconds),
                jdk == null ? Path.of(System.getProperty("java.home")) : jdk,
                BenchClassPaths.storm(),
                outputs,
                again,
                markdown);
    }
}
