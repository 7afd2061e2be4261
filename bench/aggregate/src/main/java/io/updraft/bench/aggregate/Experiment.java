package io.updraft.bench.aggregate;

import io.updraft.bench.report.Machine;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.report.Statistics;
import io.updraft.bench.spec.RunResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that runs an experiment and prints its report. */
abstract class Experiment implements Callable<Integer> {

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs of each system, alternating; the report shows medians. Default: ${DEFAULT-VALUE}.")
    int number;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "2g",
            description = "Heap of each JVM, which uses the parallel collector. Default: ${DEFAULT-VALUE}.")
    String heap;

    @Spec
    private CommandSpec spec;

    /** Prints a description of the machine, and warnings if results would be unreliable. */
    final void greet() {
        say(Machine.description());
        Machine.warnings().forEach(this::say);
    }

    final void say(String pattern, Object... values) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(values.length == 0 ? pattern : String.format(pattern, values));
        out.flush();
    }

    /** Prints a line about a run, whose marks for the number of the run come first, and its problems. */
    final void sayRun(String label, int round, String figures, RunResult result) {
        say("%srun %d of %d  %s%s", label, round, number, figures, result.valid() ? "" : "  INVALID");
        result.problems().forEach(problem -> say("  " + problem));
    }

    final <T> void table(String title, List<T> rows, List<ReportTable.Column<T>> columns) {
        say("");
        say(ReportTable.of(title, rows, columns).toText());
    }

    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** {@return the statistics of the valid runs; of NaN when there are none} */
    static Statistics stats(List<RunResult> runs, ToDoubleFunction<RunResult> value) {
        double[] values =
                runs.stream().filter(RunResult::valid).mapToDouble(value).toArray();
        return values.length == 0 ? Statistics.of(Double.NaN) : Statistics.of(values);
    }

    static double median(List<RunResult> runs, ToDoubleFunction<RunResult> value) {
        return stats(runs, value).median();
    }

    /** {@return how many of the runs are valid, for the last column of a table} */
    static String valid(List<RunResult> runs) {
        return runs.stream().filter(RunResult::valid).count() + " of " + runs.size();
    }
}
