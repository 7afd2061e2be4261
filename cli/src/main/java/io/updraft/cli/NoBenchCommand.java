package io.updraft.cli;

import io.updraft.cli.run.UserError;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The command {@code updraft bench} of an installation: says where the benchmark is. */
@Command(name = "bench", hidden = true)
final class NoBenchCommand implements Runnable {
    @Unmatched
    private List<String> ignored;

    @Override
    public void run() {
        throw new UserError(
                "bench: an installation does not include the benchmark; run './updraft bench' in a checkout of Updraft",
                null);
    }
}
