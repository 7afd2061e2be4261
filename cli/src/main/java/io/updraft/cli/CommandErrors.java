package io.updraft.cli;

import io.updraft.cli.log.LogFile;
import io.updraft.cli.run.ExitCode;
import io.updraft.cli.run.UserError;
import io.updraft.storm.JarRunException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports each failure in one line on standard error. Prints the stack trace only with {@code --stacktrace}. */
final class CommandErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final BooleanSupplier stackTrace;

    CommandErrors(BooleanSupplier stackTrace) {
        this.stackTrace = stackTrace;
    }

    @Override
    public int handleParseException(ParameterException error, String[] args) {
        CommandLine command = error.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String help =
                command.getCommandSpec().parent() == null ? "" : " ('updraft help " + command.getCommandName() + "')";
        print(command, name + ": " + oneLine(meaning(error)) + help, error);
        return ExitCode.USAGE;
    }

    private static String meaning(ParameterException error) {
        if (error instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            List<String> near = unmatched.getSuggestions();
            return "there is no command '" + unmatched.getUnmatched().get(0) + "'"
                    + (near.isEmpty() ? "" : ", did you mean '" + near.get(0) + "'?") + "; 'updraft --help' lists them";
        }
        return error.getMessage();
    }

    @Override
    public int handleExecutionException(Exception error, CommandLine command, ParseResult parsed) {
        if (error instanceof UserError user) {
            print(command, linesOf(user), user);
            return user.exitCode();
        }
        LoggerFactory.getLogger(CommandErrors.class).error("{} failed", command.getCommandName(), error);
        print(command, "updraft: internal error: " + oneLine(error.toString()) + "; log: " + LogFile.path(), error);
        return ExitCode.FAILED;
    }

    /** Returns one line. For a program whose input has several mistakes, returns one line for each; it begins with the place. */
    private static String linesOf(UserError error) {
        return error.getCause() instanceof JarRunException program && program.kind() == JarRunException.Kind.BAD_INPUT
                ? program.getMessage()
                : "updraft: " + oneLine(error.getMessage());
    }

    private void print(CommandLine command, String line, Exception error) {
        PrintWriter err = command.getErr();
        err.println(line);
        if (stackTrace.getAsBoolean()) {
            error.printStackTrace(err);
        }
        err.flush();
    }

    private static String oneLine(String message) {
        return String.valueOf(message).replaceAll("\\s*[\\r\\n]+\\s*", " ").strip();
    }
}
