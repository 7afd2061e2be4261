package io.updraft.browser;

import io.updraft.cli.UpdraftProcess;
import io.updraft.cli.programs.Loads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts Updraft with a console for a test class. */
final class ConsoleRun {

    /** Words are split, counted and reported, at a rate that costs little. */
    static final String[] WORD_COUNT = {
        "sentences,every=10",
        "split,n=2,from=sentences,out=6,compute=500000",
        "count,n=2,tasks=4,from=split,keyed=1,out=1",
        "report,from=count"
    };

    private ConsoleRun() {}

    /** Runs one of the programs of the command's tests; options come before it, arguments after it. */
    static UpdraftRun program(Path directory, List<String> options, Class<?> program, String... arguments)
            throws Exception {
        String jar = UpdraftProcess.jarOf(program, directory).toString();
        List<String> command = new ArrayList<>(List.of("run", "--view", "none"));
        command.addAll(options.contains("--ui-port") ? List.of() : List.of("--ui-port", "0"));
        command.addAll(options);
        command.addAll(List.of(jar, program.getName()));
        command.addAll(List.of(arguments));
        return UpdraftRun.start(directory, "console", command.toArray(String[]::new));
    }

    static UpdraftRun wordCount(Path directory, String... options) throws Exception {
        return program(directory, List.of(options), Loads.class, WORD_COUNT);
    }

    static UpdraftRun pipeline(Path directory, String text) throws Exception {
        Path yaml = Files.writeString(directory.resolve("pipeline.yaml"), text);
        return UpdraftRun.start(directory, "console", "aggregate", "--view", "none", "--ui-port", "0", yaml.toString());
    }

    /** {@return the lines of the run's logs, of its workers too} */
    static String logs(Path directory) throws Exception {
        try (Stream<Path> files = Files.walk(directory.resolve("state"))) {
            List<String> texts = new ArrayList<>();
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                texts.add(Files.readString(file));
            }
            return String.join("\n", texts);
        }
    }
}
