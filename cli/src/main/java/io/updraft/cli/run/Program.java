package io.updraft.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program that submits topologies.
 *
 * @param jar the jar it is in; none if it is on the class path of this process
 * @param mainClass the class with {@code main}
 * @param arguments its arguments
 */
public record Program(Optional<Path> jar, String mainClass, List<String> arguments) {}
