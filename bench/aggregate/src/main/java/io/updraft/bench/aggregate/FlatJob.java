package io.updraft.bench.aggregate;

import java.nio.file.Path;
import java.util.List;

/**
 * What a system does with a file, given to a main class by its arguments.
 *
 * @param output the file for the results: CSV with a line of names
 */
record FlatJob(FlatShape shape, Path input, Path output, int parallelism) {

    static FlatJob of(String[] args) {
        return new FlatJob(FlatShape.valueOf(args[0]), Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]));
    }

    List<String> arguments() {
        return List.of(shape.name(), input.toString(), output.toString(), String.valueOf(parallelism));
    }
}
