package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.text.OneLine;
import io.updraft.cli.run.LogFile;
import io.updraft.cli.view.LineWriter;
import io.updraft.console.BuildInfo;
import io.updraft.storm.JarRunException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.storm.utils.VersionInfo;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

@Command(
        name = "updraft",
        description = "Runs Apache Storm topologies, unchanged and many times faster, in one JVM or several.",
        mixinStandardHelpOptions = true,
        versionProvider = UpdraftCommand.VersionProvider.class,
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

    /** In the order of the help. The names are here too, so that a start reads the options of one command only. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("run", RunCommand.class);
        COMMANDS.put("aggregate", AggregateCommand.class);
        COMMANDS.put("sql", SqlCommand.class);
        COMMANDS.put("advise", AdviseCommand.class);
        COMMANDS.put("convert", ConvertCommand.class);
        COMMANDS.put("ui", UiCommand.class);
        COMMANDS.put("ps", PsCommand.class);
        COMMANDS.put("deaths", DeathsCommand.class);
        COMMANDS.put("top", TopCommand.class);
        COMMANDS.put("history", HistoryCommand.class);
        COMMANDS.put("stack", StackCommand.class);
        COMMANDS.put("heap", HeapCommand.class);
        COMMANDS.put("profile", ProfileCommand.class);
        COMMANDS.put("errors", ErrorsCommand.class);
        COMMANDS.put("dead-letters", DeadLettersCommand.class);
        COMMANDS.put("log-level", LogLevelCommand.class);
        COMMANDS.put("debug", DebugCommand.class);
        COMMANDS.put("activate", ActivateCommand.class);
        COMMANDS.put("deactivate", DeactivateCommand.class);
        COMMANDS.put("rebalance", RebalanceCommand.class);
        COMMANDS.put("kill", KillCommand.class);
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Print a stack trace with each error.")
    private boolean stackTrace;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given; 'updraft --help' lists them");
    }

    /** Returns the command line with all commands. */
    static CommandLine commandLine() {
        UpdraftCommand command = new UpdraftCommand();
        CommandLine line = new CommandLine(command);
        COMMANDS.forEach(line::addSubcommand);
        line.addSubcommand(CompletionCommand.class);
        line.addSubcommand(HelpCommand.class);
        line.addSubcommand(bench());
        return configured(line, command);
    }

    /** Returns the command line for these arguments. If they name a command, the other commands are left out. */
    static CommandLine commandLine(String... args) {
        Class<?> named = COMMANDS.get(CommandWord.of(args));
        if (named == null && !isVersion(args)) {
            return commandLine();
        }
        UpdraftCommand command = new UpdraftCommand();
        CommandLine line = new CommandLine(command);
        if (named != null) {
            line.addSubcommand(named);
        }
        return configured(line, command);
    }

    private static boolean isVersion(String... args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    private static CommandLine configured(CommandLine line, UpdraftCommand command) {
        for (String name : List.of("run", "advise")) {
            CommandLine program = line.getSubcommands().get(name);
            if (program != null) {
                program.setStopAtPositional(true);
            }
        }
        CommandLine aggregate = line.getSubcommands().get("aggregate");
        if (aggregate != null) {
            aggregate.setHelpFactory(AggregateCommand.FlagHelp::new);
        }
        line.registerConverter(Duration.class, new DurationConverter());
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

    /** Returns Updraft's version and commit, the version of the Storm API on the class path, and the JDK. */
    static final class VersionProvider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "updraft " + BuildInfo.version() + " (commit " + BuildInfo.commit() + ")",
                "Storm API " + VersionInfo.getVersion(),
                "JDK " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + "), "
                        + System.getProperty("java.home")
            };
        }
    }

    /** The command {@code updraft bench} of an installation: says where the benchmark is. */
    @Command(name = "bench", hidden = true)
    private static final class NoBenchCommand implements Runnable {
        @Unmatched
        private List<String> ignored;

        @Override
        public void run() {
            throw new UserError(
                    "bench: an installation does not include the benchmark; run './updraft bench' in a checkout of"
                            + " Updraft",
                    null);
        }
    }

    /** Reports each failure in one line on standard error. Prints the stack trace only with {@code --stacktrace}. */
    private static final class CommandErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
        private final BooleanSupplier stackTrace;

        CommandErrors(BooleanSupplier stackTrace) {
            this.stackTrace = stackTrace;
        }

        @Override
        public int handleParseException(ParameterException error, String[] args) {
            CommandLine command = error.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            String help = command.getCommandSpec().parent() == null
                    ? ""
                    : " ('updraft help " + command.getCommandName() + "')";
            print(command, name + ": " + OneLine.of(meaning(error)) + help, error);
            return ExitCode.USAGE;
        }

        private static String meaning(ParameterException error) {
            return error instanceof UnmatchedArgumentException unmatched
                    ? UnknownWord.describe(unmatched)
                    : error.getMessage();
        }

        @Override
        public int handleExecutionException(Exception error, CommandLine command, ParseResult parsed) {
            if (error instanceof UserError user) {
                print(command, linesOf(user), user);
                return user.exitCode();
            }
            LoggerFactory.getLogger(CommandErrors.class).error("{} failed", command.getCommandName(), error);
            print(
                    command,
                    "updraft: internal error: " + OneLine.of(error.toString()) + "; log: " + LogFile.path(),
                    error);
            return ExitCode.FAILED;
        }

        /** Returns one line. For a program whose input has several mistakes, returns one line for each; it begins with the place. */
        private static String linesOf(UserError error) {
            return error.getCause() instanceof JarRunException program
                            && program.kind() == JarRunException.Kind.BAD_INPUT
                    ? program.getMessage()
                    : "updraft: " + OneLine.of(error.getMessage());
        }

        private void print(CommandLine command, String line, Exception error) {
            PrintWriter err = new LineWriter(command.getErr());
            line.lines().forEach(err::println);
            if (stackTrace.getAsBoolean()) {
                error.printStackTrace(command.getErr());
            }
            err.flush();
        }
    }
}
