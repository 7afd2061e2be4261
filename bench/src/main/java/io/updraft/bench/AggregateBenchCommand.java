package io.updraft.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code updraft bench aggregate}: runs the module {@code bench/aggregate} in a JVM of its own, with that module's class path.
 * The command line does not ship the module. Options, output and exit code are passed through.
 */
@Command(
        name = "aggregate",
        description = "Measures aggregation by key and time, alone or compared with Flink, Kafka Streams and Storm; "
                + "'updraft bench aggregate --help' lists the experiments.")
final class AggregateBenchCommand implements Callable<Integer> {

    private static final String MAIN = "io.updraft.bench.aggregate.AggregateBench";
    private static final String HEAP = "-Xmx2g";

    @Spec
    private CommandSpec spec;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            return run(BenchClassPaths.aggregate("aggregate", ""));
        } catch (UsageError e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("updraft bench: " + e.getMessage());
            err.flush();
            return CommandLine.ExitCode.USAGE;
        }
    }

    private int run(String classPath) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(HEAP, "-XX:+UseParallelGC", "-cp", classPath, MAIN));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).inheritIO().start();
        Thread hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        int status = process.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this JVM is shutting down; the child has already ended
        }
        return status;
    }
}
