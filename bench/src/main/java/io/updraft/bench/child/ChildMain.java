package io.updraft.bench.child;

import io.updraft.base.json.Json;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.spec.ChildReport;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.workers.WorkersRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;

/**
 * The child JVM's main class. It reads a {@link RunSpec} in JSON from each line of its standard input. It reports
 * {@link #ROW rows} and a {@link #RESULT result}; all other output is log. The child ends when its parent closes its standard
 * input, and after the first run if the run was in this process.
 */
public final class ChildMain {

    /** The report of a progress row. */
    public static final String ROW = "row";

    private static final String RESULT = "result";

    /** The runtime with worker processes, kept for later runs; a cluster or peer in this process lives for one run. */
    private static volatile WorkersRuntime workers;

    private static boolean closed;

    private ChildMain() {}

    /** Executes the runs and halts the JVM, without waiting for a cluster in this process to close. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        BlockingQueue<String> specs = followParent();
        Runtime.getRuntime().addShutdownHook(new Thread(ChildMain::close, "close-runtimes"));
        int status = 1;
        try {
            do {
                RunResult result = run(Json.read(specs.take(), RunSpec.class), out);
                ChildReport.print(out, RESULT, result);
            } while (workers != null);
            status = 0;
        } catch (Throwable e) { // log any error and end this JVM; the parent reports both
            e.printStackTrace();
        }
        System.err.flush();
        close();
        Runtime.getRuntime().halt(status);
    }

    private static RunResult run(RunSpec spec, PrintStream out) throws Exception {
        try {
            return new BenchRun(spec, site(spec), row -> ChildReport.print(out, ROW, row)).call();
        } catch (Exception e) {
            if (workers == null) {
                throw e;
            }
            e.printStackTrace();
            return RunResult.failed(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static RunSite site(RunSpec spec) throws ReflectiveOperationException, IOException {
        Class<?> type = Class.forName(spec.runtimeClass());
        if (WorkersRuntime.class.isAssignableFrom(type)) {
            int count = ((Number) spec.conf().get(Config.TOPOLOGY_WORKERS)).intValue();
            return new WorkerRunSite(workers(type.asSubclass(WorkersRuntime.class)), count);
        }
        Object runtime = type.getConstructor().newInstance();
        return runtime instanceof PeerRuntime peer
                ? new PeerRunSite(peer, spec.shape())
                : new InProcessRunSite((ILocalCluster) runtime);
    }

    private static WorkersRuntime workers(Class<? extends WorkersRuntime> type) throws ReflectiveOperationException {
        if (workers != null && workers.getClass() != type) {
            workers.close();
            workers = null;
        }
        if (workers == null) {
            workers = type.getConstructor().newInstance();
        }
        return workers;
    }

    /** Closes the kept runtime and returns when it is closed. Any thread may call this, also during a run. */
    private static synchronized void close() {
        if (!closed && workers != null) {
            closed = true;
            workers.close();
        }
    }

    private static BlockingQueue<String> followParent() {
        BlockingQueue<String> specs = new LinkedBlockingQueue<>();
        DaemonThreads.start("parent-follower", () -> {
            readLines(specs);
            close();
            Runtime.getRuntime().halt(0);
        });
        return specs;
    }

    private static void readLines(BlockingQueue<String> specs) {
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                specs.add(line);
            }
        } catch (IOException e) {
            // handled like the end of the input
        }
    }
}
