package io.updraft.bench.aggregate.peer;

import io.updraft.base.json.Json;
import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The child JVM: reads a {@link PeerJob} from its standard input, starts the peer, and reports its {@link PeerUsage} every 100 ms. It
 * ends when the parent sends {@link #END} or closes the input.
 */
public final class PeerMain {

    /** The prefix of report lines, which separates them from other output. */
    public static final String MARK = "@@updraft-bench ";
    /** The line that the parent sends when all results have arrived. */
    public static final String END = "end";

    private static final long SAMPLE_MILLIS = 100;

    private final PrintStream out;

    private PeerMain(PrintStream out) {
        this.out = out;
    }

    /** Runs a job. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        // Standard output is for reports only; the peer's output goes to standard error.
        System.setOut(System.err);
        new PeerMain(out).run();
    }

    private void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PeerJob job = Json.read(in.readLine(), PeerJob.class);
        Thread sampler = DaemonThreads.create("bench-sampler", this::sample);
        try {
            MeasuredPeer peer = (MeasuredPeer)
                    Class.forName(job.peer()).getDeclaredConstructor().newInstance();
            say("started", Map.of("title", peer.title(), "settings", peer.settings(job)));
            peer.start(job, this::fail);
            sampler.start();
        } catch (Exception | LinkageError e) {
            fail(e);
        }
        in.readLine();
        say("end", Json.members(PeerUsage.now()));
        Runtime.getRuntime().halt(0);
    }

    private void sample() {
        try {
            while (true) {
                say("sample", Json.members(PeerUsage.now()));
                Thread.sleep(SAMPLE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(Throwable cause) {
        cause.printStackTrace();
        say("failed", Map.of("problem", cause.toString()));
    }

    private synchronized void say(String what, Map<String, ?> more) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("what", what);
        line.putAll(more);
        out.println(MARK + Json.write(line));
        out.flush();
    }
}
