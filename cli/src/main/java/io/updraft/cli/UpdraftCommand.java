package io.updraft.cli;

import io.updraft.cli.run.ExitCode;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code updraft}. */
@Command(
        name = "updraft",
        description = "Runs Apache Storm topologies, unchanged and many times faster, in one JVM or several.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        subcommands = {RunCommand.class, AggregateCommand.class, GenerateCompletion.class, HelpCommand.class},
        commandListHeading = "%nCommands:%n",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  updraft run examples/wordcount               count the words of the book in the jar",
            "  updraft run target/topology.jar com.acme.Main arg1 arg2",
            "  updraft help run                             every option of 'run'",
            "",
            "Exit codes:",
            "  0    success",
            "  1    a topology, a pipeline or the program failed",
            "  2    the command line or the program is not valid",
            "  3    stopped, but tuple trees were still in flight at the limit of --drain",
            "  130  stopped at once by a second signal",
            "",
            "Environment:",
            "  UPDRAFT_JAVA_OPTS  JVM options, e.g. -Xmx8g; they override Updraft's own",
            "  JAVA_HOME          the Java to use, 17 or newer (default: java on the PATH)",
            "  XDG_STATE_HOME     logs and heap dumps go to updraft/ in it (default: ~/.local/state)",
            "  NO_COLOR           draw the live view without colours"
        })
final class UpdraftCommand implements Runnable {
    private static final String BENCH = "io.updraft.bench.BenchCommand";

    @Spec
    private CommandSpec spec;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Print a stack trace with each error.")
    private boolean stackTrace;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given; 'updraft --help' lists them");
    }

    static CommandLine commandLine() {
        UpdraftCommand command = new UpdraftCommand();
        CommandLine line = new CommandLine(command);
        line.addSubcommand(bench());
        line.getSubcommands().get("run").setStopAtPositional(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        CommandErrors errors = new CommandErrors(() -> command.stackTrace);
        line.setParameterExceptionHandler(errors);
        line.setExecutionExceptionHandler(errors);
        line.setExitCodeExceptionMapper(error -> ExitCode.FAILED);
        return line;
    }

    /** Returns the benchmark command. A checkout has it on the class path; an installation does not. */
    private static Class<?> bench() {
        try {
            return Class.forName(BENCH);
        } catch (ClassNotFoundException e) {
            return NoBenchCommand.class;
        }
    }
}
