package io.updraft.cli.run;

import io.updraft.cli.view.ViewMode;
import io.updraft.console.access.UiSettings;
import io.updraft.storm.conf.StormConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The program to run, and the options of the run.
 *
 * @param program the program; null if clients submit the topologies
 * @param workers whether the topologies run in worker processes instead of this process
 * @param config configuration from outside the program
 * @param limit the longest time that the topologies run, from the first one on; null for no limit
 * @param drain the longest wait for tuples in flight at the end
 * @param view how the state is shown
 * @param interval the time between two updates of the view
 * @param services the addresses to listen on
 * @param metrics the address for monitoring systems; null if there is none
 * @param ui where the console listens, and for whom
 */
public record RunRequest(
        TopologyProgram program,
        boolean workers,
        StormConfig config,
        Duration limit,
        Duration drain,
        ViewMode view,
        Duration interval,
        ServiceAddresses services,
        InetSocketAddress metrics,
        UiSettings ui) {
    /**
     * A program that submits topologies.
     *
     * @param jar the program's jar; empty if the program is on the class path of this process
     * @param mainClass the class with {@code main}
     * @param arguments the arguments of {@code main}
     */
    public record TopologyProgram(Optional<Path> jar, String mainClass, List<String> arguments) {}
}
