package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import picocli.CommandLine.Command;

/** Makes the spouts of a topology stop emitting; tuples in flight are still processed. */
@Command(
        name = "deactivate",
        header = "Makes the spouts of a topology stop emitting; tuples in flight are still processed.")
final class DeactivateCommand extends NamedRunCommand {
    @Override
    public Integer call() {
        return order("deactivate", JsonObject.of(), LIMIT);
    }
}
