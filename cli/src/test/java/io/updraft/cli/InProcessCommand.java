package io.updraft.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Runs a command in the process of the test, for command lines that end before a program starts. */
record InProcessCommand(int exitCode, List<String> out, List<String> err) {

    static InProcessCommand run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = UpdraftCommand.commandLine(args);
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        int exitCode = command.execute(args);
        return new InProcessCommand(
                exitCode,
                out.toString().lines().toList(),
                err.toString().lines().toList());
    }
}
