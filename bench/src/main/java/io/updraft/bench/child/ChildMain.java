package io.updraft.bench.child;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The child JVM's main class: takes a {@link RunSpec} in JSON and prints {@link #ROW} or {@link #RESULT}
 * and JSON up to the end of the line. Whatever else is printed is the log's. Ends when its parent closes its standard input.
 */
public final class ChildMain {

    /** Precedes one row of progress. */
    public static final String ROW = "@updraft-bench-row ";

    /** Precedes the result. */
    public static final String RESULT = "@updraft-bench-result ";

    private ChildMain() {}

    /**
     * Runs once and ends the JVM, without waiting for whatever the cluster still has to close.
     *
     * @param args the specification's JSON
     */
    public static void main(String[] args) {
        PrintStream out = System.out;
        endWithParent();
        int status = 1;
        try {
            RunResult result = new Run(RunSpec.fromJson(args[0]), row -> print(out, ROW + row.toJson())).call();
            print(out, RESULT + result.toJson());
            status = 0;
        } catch (Throwable e) { // whatever it is, the parent must learn of it and this JVM must end
            e.printStackTrace();
        }
        System.err.flush();
        Runtime.getRuntime().halt(status);
    }

    private static void print(PrintStream out, String line) {
        out.print(line + "\n"); // in one write, for Storm's log goes the same way
        out.flush();
    }

    private static void endWithParent() {
        Thread watcher = new Thread(
                () -> {
                    awaitEndOfInput();
                    Runtime.getRuntime().halt(1);
                },
                "parent-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said, only the end counts
            }
        } catch (IOException e) {
            // as good as the end
        }
    }
}
