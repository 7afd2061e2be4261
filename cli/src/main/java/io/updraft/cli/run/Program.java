package io.updraft.cli.run;

import java.nio.file.Path;
import java.util.List;

/**
 * A program that submits topologies.
 *
 * @param jar the jar it is in
 * @param mainClass the class with {@code main}
 * @param arguments its arguments
 */
public record Program(Path jar, String mainClass, List<String> arguments) {}
