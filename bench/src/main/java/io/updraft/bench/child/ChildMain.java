package io.updraft.bench.child;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The child JVM's main class: takes a {@link RunSpec} in JSON on each line of its standard input, and prints {@link #ROW} or
 * {@link #RESULT} and JSON up to the end of the line. Whatever else is printed is the log's. Ends when its parent closes its
 * standard input; also after the first run, when that took place in this process.
 */
public final class ChildMain {

    /** Precedes one row of progress. */
    public static final String ROW = "@updraft-bench-row ";

    /** Precedes the result. */
    public static final String RESULT = "@updraft-bench-result ";

    private static final Runtimes RUNTIMES = new Runtimes();

    private ChildMain() {}

    /**
     * Runs what it is asked to and ends the JVM, without waiting for whatever a cluster in this process still has to close.
     *
     * @param args none
     */
    public static void main(String[] args) {
        PrintStream out = System.out;
        BlockingQueue<String> specs = followParent();
        Runtime.getRuntime().addShutdownHook(new Thread(RUNTIMES::close, "close-runtimes"));
        int status = 1;
        try {
            do {
                RunResult result = run(RunSpec.fromJson(specs.take()), out);
                print(out, RESULT + result.toJson());
            } while (RUNTIMES.isKept());
            status = 0;
        } catch (Throwable e) { // whatever it is, the parent must learn of it and this JVM must end
            e.printStackTrace();
        }
        System.err.flush();
        RUNTIMES.close();
        Runtime.getRuntime().halt(status);
    }

    private static RunResult run(RunSpec spec, PrintStream out) throws Exception {
        try {
            return new Run(spec, RUNTIMES.site(spec), row -> print(out, ROW + row.toJson())).call();
        } catch (Exception e) {
            if (!RUNTIMES.isKept()) {
                throw e;
            }
            e.printStackTrace();
            return RunResult.failed(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static void print(PrintStream out, String line) {
        out.print(line + "\n"); // in one write, for Storm's log goes the same way
        out.flush();
    }

    private static BlockingQueue<String> followParent() {
        BlockingQueue<String> specs = new LinkedBlockingQueue<>();
        Thread follower = new Thread(
                () -> {
                    readLines(specs);
                    RUNTIMES.close();
                    Runtime.getRuntime().halt(0);
                },
                "parent-follower");
        follower.setDaemon(true);
        follower.start();
        return specs;
    }

    private static void readLines(BlockingQueue<String> specs) {
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                specs.add(line);
            }
        } catch (IOException e) {
            // as good as the end
        }
    }
}
