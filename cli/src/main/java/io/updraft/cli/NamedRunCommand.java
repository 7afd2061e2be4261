package io.updraft.cli;

import picocli.CommandLine.Parameters;

/** A command for a topology or a pipeline, which its first argument may name instead of {@code --run}. */
abstract class NamedRunCommand extends InspectionCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            completionCandidates = CompletionWords.Names.class,
            description = "The topology or pipeline. Needed only if several are alive.")
    private String argument;

    @Override
    final String argumentName() {
        return argument;
    }
}
