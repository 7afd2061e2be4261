package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.process.ChildJvm;
import io.updraft.bench.process.ChildLost;
import io.updraft.bench.spec.ChildReport;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A JVM that runs one peer. Used by one thread. */
final class PeerJvm implements AutoCloseable {

    /** The log4j2 configuration of the bench's JVMs, which logs warnings. */
    public static final String LOGGING = "classpath:io/updraft/bench/aggregate/log.xml";

    /** The options of the JVMs of all peers. */
    public static final List<String> OPTIONS = Stream.concat(
                    Stream.of("java.lang", "java.util", "java.time", "java.net", "java.nio", "jdk.internal.misc")
                            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED"),
                    Stream.of("-Dlog4j2.configurationFile=" + LOGGING))
            .toList();

    private static final Duration END = Duration.ofSeconds(120);

    private final ChildJvm child;
    private final List<PeerUsage> samples = new ArrayList<>();
    private PeerMain.Started started = new PeerMain.Started("", Map.of());

    /**
     * Starts a JVM.
     *
     * @param heap the heap, such as {@code 2g}
     * @param updraft whether to use Updraft's Kafka client; otherwise that of Kafka Streams, which comes first on the class path
     */
    PeerJvm(PeerJob job, String heap, boolean updraft) throws IOException {
        String classPath = BenchClassPaths.updraft();
        child = new ChildJvm(
                PeerMain.class, updraft ? classPath : clientOfPeers() + File.pathSeparator + classPath, heap, OPTIONS);
        child.say(job);
    }

    private static String clientOfPeers() {
        Path client = BenchClassPaths.placeOf(PeerJvm.class).resolveSibling("peers");
        if (!Files.isDirectory(client)) {
            throw new IllegalStateException("the peers' Kafka client is missing in " + client
                    + ": build the module bench/aggregate with Maven");
        }
        return client + File.separator + "*";
    }

    /** {@return the name and version of the peer, and its settings; empty before the child has reported them} */
    PeerMain.Started started() {
        return started;
    }

    /**
     * {@return the usage samples that the child has reported so far}
     *
     * @throws ChildLost when the peer failed or the child ended
     */
    List<PeerUsage> samples() throws InterruptedException {
        next(Duration.ZERO, PeerMain.END);
        return samples;
    }

    /** {@return the usage samples that were taken, also when the child has ended} */
    List<PeerUsage> usages() {
        return samples;
    }

    /** {@return the exception for a problem of the peer} */
    ChildLost lost(String problem) {
        return child.lost(problem);
    }

    /**
     * {@return the child's total usage; tells the child to end}
     *
     * @throws ChildLost when the child does not end in time
     */
    PeerUsage end() throws InterruptedException {
        child.say(PeerMain.END);
        ChildReport end = next(END, PeerMain.END);
        if (end == null) {
            throw lost("the child JVM does not end");
        }
        return end.as(PeerUsage.class);
    }

    /** Takes reports until one of a kind; null if it does not come, after the last report that came in time. */
    private ChildReport next(Duration limit, String kind) throws InterruptedException {
        ChildReport report = child.poll(limit);
        while (report != null && !report.kind().equals(kind)) {
            take(report);
            report = child.poll(limit);
        }
        return report;
    }

    private void take(ChildReport report) {
        switch (report.kind()) {
            case PeerMain.STARTED -> started = report.as(PeerMain.Started.class);
            case PeerMain.SAMPLE -> samples.add(report.as(PeerUsage.class));
            default -> throw child.lost(report.as(PeerMain.Failed.class).problem());
        }
    }

    /** Ends the child, and deletes its directory unless there was a problem. */
    @Override
    public void close() throws IOException {
        child.close();
    }
}
