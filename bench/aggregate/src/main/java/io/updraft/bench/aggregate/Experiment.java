package io.updraft.bench.aggregate;

import io.updraft.bench.report.Machine;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that runs an experiment and prints its report. */
abstract class Experiment implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Prints a description of the machine, and warnings if results would be unreliable. */
    final void greet() {
        say(Machine.description());
        Machine.warnings().forEach(this::say);
    }

    final void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    final void say(List<String> problems) {
        problems.forEach(problem -> say("  " + problem));
    }

    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** {@return the value; reports an {@link IllegalArgumentException} as a wrong option} */
    final <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
