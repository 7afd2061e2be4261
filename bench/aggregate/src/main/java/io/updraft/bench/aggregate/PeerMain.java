package io.updraft.bench.aggregate;

import io.updraft.base.json.Json;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.spec.ChildReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The child JVM: reads a {@link PeerJob} from its standard input, starts the peer, and reports its {@link PeerUsage} every 100 ms. It
 * ends when the parent sends a second line or closes the input.
 */
final class PeerMain {

    /** The report of a started peer: {@link Started}. */
    public static final String STARTED = "started";
    /** The report of the {@link PeerUsage} so far. */
    public static final String SAMPLE = "sample";
    /** The report of the whole {@link PeerUsage}. */
    public static final String END = "end";

    private static final long SAMPLE_MILLIS = 100;

    private final PrintStream out;

    /**
     * A peer.
     *
     * @param title name and version
     * @param settings the settings that differ from its defaults
     */
    public record Started(String title, Map<String, String> settings) {}

    /**
     * A failure.
     *
     * @param problem what failed
     */
    public record Failed(String problem) {}

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
        try {
            MeasuredPeer peer = (MeasuredPeer)
                    Class.forName(job.peer()).getDeclaredConstructor().newInstance();
            say(STARTED, new Started(peer.title(), peer.settings(job)));
            peer.start(job, this::fail);
            DaemonThreads.start("bench-sampler", this::sample);
        } catch (Exception | LinkageError e) {
            fail(e);
        }
        in.readLine();
        say(END, PeerUsage.now());
        Runtime.getRuntime().halt(0);
    }

    private void sample() {
        try {
            while (true) {
                say(SAMPLE, PeerUsage.now());
                Thread.sleep(SAMPLE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(Throwable cause) {
        cause.printStackTrace();
        say("failed", new Failed(cause.toString()));
    }

    private void say(String kind, Record content) {
        ChildReport.print(out, kind, content);
    }
}
