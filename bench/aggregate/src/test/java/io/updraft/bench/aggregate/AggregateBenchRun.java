package io.updraft.bench.aggregate;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command as tests run it: in this JVM, with what it prints kept. */
final class AggregateBenchRun {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Runs it with arguments that are apart by blanks. Returns the exit status. */
    int run(String arguments) {
        CommandLine line = AggregateBench.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
