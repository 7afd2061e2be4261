package io.updraft.bench;

import io.updraft.bench.compat.CompatRequest;
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

/** {@code updraft bench compat}. Returns 0 when all that works on Storm did the same here, 1 when something did not. */
@Command(
        name = "compat",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs programs written for Storm on Storm and here, and compares what they did.",
        description = {
            "",
            "Each program runs in two JVMs, in Storm's LocalCluster and in 'updraft run', until its topology was there "
                    + "for some time. Compared are components, executors, tasks, the streams that carried tuples, acks and "
                    + "errors, all as Nimbus' interface tells them, and what the program's entry in the list asks of "
                    + "its output. The list is a YAML file; bench/compat has those behind docs/compatibility.md.",
            ""
        })
final class CompatCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PROGRAMS.yaml", description = "The programs, their arguments and rules.")
    private Path programs;

    @Parameters(
            index = "1",
            paramLabel = "JAR",
            description =
                    "The built programs with the libraries that they need, without Storm's client, as for 'storm jar'.")
    private Path jar;

    @Option(
            names = "--files",
            paramLabel = "DIR",
            description = "What $${files} stands for in arguments. Default: the directory of PROGRAMS.yaml.")
    private Path files;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "Only programs whose name has this.")
    private Pattern only;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long each topology runs. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--jdk", paramLabel = "DIR", description = "The JDK of both sides. Default: this one.")
    private Path jdk;

    @Option(names = "--storm-lib", paramLabel = "DIR", description = "Storm's jars. Default: those of this build.")
    private Path stormLibrary;

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Where outputs are kept, a directory for each program and side. Default: a temporary one.")
    private Path directory;

    @Option(names = "--again", description = "Runs Storm only for programs of which --keep has no earlier run on it.")
    private boolean again;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many programs run at a time. Default: ${DEFAULT-VALUE}.")
    private int parallel;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Writes the table to a file as well.")
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
                ClassPaths.storm(stormLibrary),
                outputs,
                again,
                parallel,
                markdown);
    }
}
