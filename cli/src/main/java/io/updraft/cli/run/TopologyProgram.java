package io.updraft.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program that submits topologies.
 *
 * @param jar the program's jar; empty if the program is on the class path of this process
 * @param mainClass the class with {@code main}
 * @param arguments the arguments of {@code main}
 */
public record TopologyProgram(Optional<Path> jar, String mainClass, List<String> arguments) {}
