package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import picocli.CommandLine.Command;

/** Makes the spouts of a topology emit again, after 'updraft deactivate'. */
@Command(name = "activate", header = "Makes the spouts of a topology emit again, after 'updraft deactivate'.")
final class ActivateCommand extends NamedRunCommand {
    @Override
    public Integer call() {
        return order("activate", JsonObject.of(), LIMIT);
    }
}
