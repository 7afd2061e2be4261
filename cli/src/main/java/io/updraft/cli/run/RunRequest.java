package io.updraft.cli.run;

import io.updraft.cli.view.ViewMode;
import io.updraft.storm.StormConfig;
import java.time.Duration;

/**
 * What is to be run, and how.
 *
 * @param program the program, null for none: then topologies come from clients
 * @param workers whether it runs in worker processes instead of this one
 * @param config configuration from outside the program
 * @param limit how long its topologies run at the most, null for no limit
 * @param drain how long tuples in flight are waited for at the end
 * @param view how the state is shown
 * @param interval between two looks at the state
 * @param services where it listens
 */
public record RunRequest(
        Program program,
        boolean workers,
        StormConfig config,
        Duration limit,
        Duration drain,
        ViewMode view,
        Duration interval,
        ServiceAddresses services) {}
