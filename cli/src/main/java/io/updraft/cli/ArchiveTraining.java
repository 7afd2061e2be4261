package io.updraft.cli;

import io.updraft.cli.run.LogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs typical short commands in a JVM that archives the classes that it loads. */
final class ArchiveTraining {
    private static final String CSV = """
            time,key,value
            2026-01-01T00:00:00Z,a,1.5
            2026-01-01T00:01:00Z,b,2
            """;

    private static final String JSON = """
            {"time":"2026-01-01T00:00:00Z","key":"a","value":1.5}
            {"time":"2026-01-01T00:01:00Z","key":"b","value":2}
            """;

    /** After this time another process may make the archive. A command does not end while the disk is full. */
    private static final long LIMIT_MINUTES = 10;

    private ArchiveTraining() {}

    /** Runs the commands. The argument is a directory for their files. */
    public static void main(String[] args) throws IOException {
        CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES)
                .execute(() -> Runtime.getRuntime().halt(1));
        Path directory = Path.of(args[0]);
        LogFile.configure();
        LogFile.startLate();
        run("--version");
        run("--help");
        run("ps");
        aggregate(Files.writeString(directory.resolve("records.csv"), CSV), "plain");
        aggregate(Files.writeString(directory.resolve("records.json"), JSON), "none");
        System.exit(0);
    }

    private static void aggregate(Path records, String view) {
        List<String> command = List.of(
                "aggregate", "--no-ui", "--view", view, "--from", records.toString(), "--group-by", "key", "--count");
        String[] measures = {"--sum", "value", "--avg", "value", "--min", "value", "--max", "value"};
        run(command, Stream.concat(Stream.of(measures), Stream.of("--to", records + ".out.csv")));
        String filter = "key LIKE 'a%' AND value > 1 OR date_trunc('hour', time) IS NULL";
        run(command, Stream.of("--every", "1m", "--filter", filter));
    }

    private static void run(List<String> command, Stream<String> options) {
        run(Stream.concat(command.stream(), options).toArray(String[]::new));
    }

    private static void run(String... args) {
        UpdraftCommand.commandLine(args).execute(args);
    }
}
