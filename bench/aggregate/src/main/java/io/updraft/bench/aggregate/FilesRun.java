package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.spec.ChildReport;
import io.updraft.bench.spec.ProcessUsage;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs systems on one file of records, each in a process of its own, and checks their results. Used by one thread. */
final class FilesRun {

    /** The start of DuckDB's command line tool, which its users have instead of a JVM. */
    static final double DUCKDB_START_SECONDS = 0.05;

    private static final Duration ARCHIVE_LIMIT = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;
    private static final int TAIL = 15;
    private static final long WARM_UP_RECORDS = 100;
    /** Records that the measured file does not have: a file that begins like another may be taken for it. */
    private static final long WARM_UP_FROM = 1L << 40;

    private final FlatShape shape;
    private final int groups;
    private final Path input;
    private final Path directory;
    private final int parallelism;
    private final String heap;
    private Map<String, FlatTotals> expected;
    private long records;

    /**
     * The result of a run.
     *
     * @param run the measurement: of the process from its start to its exit; of DuckDB, of the query
     * @param processSeconds wall time of the process from its start to its exit
     */
    record Result(RunResult run, double processSeconds) {}

    /** Creates runs on a file that {@link #write} writes. */
    FilesRun(FlatShape shape, int groups, Path directory, int parallelism, String heap) {
        this.shape = shape;
        this.groups = groups;
        this.directory = directory;
        this.parallelism = parallelism;
        this.heap = heap;
        input = directory.resolve(shape.file("records"));
    }

    /** Writes the file, {@return its size in bytes} */
    long write(long number) throws IOException {
        records = number;
        expected = new FlatRecords(shape, groups).write(input, 0, number);
        return Files.size(input);
    }

    /** {@return the number of groups in the file} */
    int results() {
        return expected.size();
    }

    /** {@return the result; never null, also when the run failed} */
    Result run(FilesSystem system) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory(directory, system + "-");
        try {
            return switch (system) {
                case UPDRAFT -> updraft(work);
                case DUCKDB -> duckDb(work);
                case FLINK -> process(java(FlinkFilesMain.class, heapOptions(), work), Map.of(), work, false);
            };
        } finally {
            InputDirectory.delete(work);
        }
    }

    /** Runs the command. A run on a small file before the first one makes what each later start uses. */
    private Result updraft(Path work) throws IOException, InterruptedException {
        Path state = directory.resolve("state");
        Map<String, String> environment = Map.of("XDG_STATE_HOME", state.toString());
        if (!Files.exists(state)) {
            warmUp(work, environment);
        }
        return process(aggregate(input, output(work)), environment, work, true);
    }

    private void warmUp(Path work, Map<String, String> environment) throws IOException, InterruptedException {
        Path small = work.resolve(shape.file("warm-up"));
        new FlatRecords(shape, groups).write(small, WARM_UP_FROM, WARM_UP_RECORDS);
        TimedProcess.run(
                aggregate(small, work.resolve("warm-up-results.csv")), environment, work.resolve("warm-up.log"));
        if (UpdraftLauncher.makesArchive()) {
            awaitArchive(directory.resolve("state/updraft/classes"));
        }
    }

    /** Waits for the archive of classes, which Updraft makes in the background after its first short run. */
    private static void awaitArchive(Path classes) throws IOException, InterruptedException {
        long end = System.nanoTime() + ARCHIVE_LIMIT.toNanos();
        while (System.nanoTime() < end) {
            if (Files.isDirectory(classes)) {
                try (Stream<Path> files = Files.list(classes)) {
                    if (files.anyMatch(file -> file.toString().endsWith(".jsa"))) {
                        return;
                    }
                }
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new IllegalStateException("no archive of classes appears in " + classes);
    }

    private List<String> aggregate(Path from, Path to) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("aggregate", "--no-ui", "--view", "none", "--count"));
        arguments.addAll(List.of("--from", from.toString(), "--to", to.toString()));
        arguments.addAll(List.of("--types", String.join(",", shape.fields(":", "text", "double"))));
        arguments.addAll(List.of("--group-by", String.join(",", shape.dimensions())));
        for (String function : shape.functions()) {
            arguments.addAll(List.of("--" + function, String.join(",", shape.measures())));
        }
        return UpdraftLauncher.command(arguments);
    }

    private Result duckDb(Path work) throws IOException, InterruptedException {
        List<String> options = List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1");
        TimedProcess process = TimedProcess.run(java(DuckDbMain.class, options, work), Map.of(), work.resolve("log"));
        DuckDbMain.QueryUsage query = process.output().stream()
                .flatMap(line -> ChildReport.in(line).stream())
                .findFirst()
                .map(report -> report.as(DuckDbMain.QueryUsage.class))
                .orElse(new DuckDbMain.QueryUsage(0, 0));
        long wall = query.wallNanos() + (long) (DUCKDB_START_SECONDS * 1e9);
        return result(process, wall, query.cpuNanos(), problems(process, output(work), false));
    }

    private Result process(List<String> command, Map<String, String> environment, Path work, boolean exact)
            throws IOException, InterruptedException {
        TimedProcess process = TimedProcess.run(command, environment, work.resolve("log"));
        return result(process, process.wallNanos(), process.cpuNanos(), problems(process, output(work), exact));
    }

    private List<String> problems(TimedProcess process, Path output, boolean exact) throws IOException {
        if (process.status() != 0) {
            List<String> lines = process.output();
            return List.of("the process ended with status " + process.status() + "; its output ends with\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size())));
        }
        return new FlatResultCheck(shape, expected, exact).problems(output);
    }

    private Result result(TimedProcess process, long wall, long cpu, List<String> problems) {
        RunResult run = RunResult.of(problems, wall, records, new ProcessUsage(cpu, 0, -1));
        return new Result(run, process.wallNanos() / 1e9);
    }

    private List<String> heapOptions() {
        return Stream.concat(Stream.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseParallelGC"), PeerJvm.OPTIONS.stream())
                .toList();
    }

    private List<String> java(Class<?> main, List<String> options, Path work) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Djava.io.tmpdir=" + work);
        command.addAll(List.of("-cp", BenchClassPaths.updraft(), main.getName()));
        command.addAll(new FlatJob(shape, input, output(work), parallelism).arguments());
        return command;
    }

    private static Path output(Path work) {
        return work.resolve("results.csv");
    }
}
