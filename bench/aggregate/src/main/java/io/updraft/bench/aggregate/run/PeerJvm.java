package io.updraft.bench.aggregate.run;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.peer.PeerMain;
import io.updraft.bench.aggregate.peer.PeerUsage;
import io.updraft.bench.process.ChildProcess;
import io.updraft.bench.process.TemporaryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A JVM that runs one job. All children have the same {@code java} and collector. The child's output goes to a log file in its
 * own directory. The child ends when this JVM ends for any reason. Used by one thread; an internal thread reads the child's
 * output.
 */
public final class PeerJvm implements AutoCloseable {

    /** The log4j2 configuration of the bench's JVMs, which logs warnings. */
    public static final String LOGGING = "classpath:io/updraft/bench/aggregate/log.xml";

    private static final long END_SECONDS = 120;

    private final Path directory;
    private final ChildProcess child;
    private final List<PeerUsage> samples = new ArrayList<>();
    private String title = "";
    private Map<String, Object> settings = Map.of();
    private String problem;
    private Map<String, Object> end;

    /**
     * Starts a JVM.
     *
     * @param main the main class, which prints reports as lines that begin with {@link PeerMain#MARK}
     * @param job the job, sent as the first line of input
     * @param heap the heap, such as {@code 2g}
     */
    public PeerJvm(Class<?> main, String job, String heap, String classPath) throws IOException {
        this(main, job, heap, classPath, Files.createTempDirectory("updraft-bench-"), List.of());
    }

    /**
     * Starts a JVM in a given directory.
     *
     * @param main the main class, which prints reports as lines that begin with {@link PeerMain#MARK}
     * @param job the job, sent as the first line of input
     * @param heap the heap, such as {@code 2g}
     * @param directory an existing empty directory; deleted when the child ended without a problem
     */
    PeerJvm(Class<?> main, String job, String heap, String classPath, Path directory, List<String> options)
            throws IOException {
        this.directory = directory;
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        List<String> all = new ArrayList<>(options);
        for (String opened :
                List.of("java.lang", "java.util", "java.time", "java.net", "java.nio", "jdk.internal.misc")) {
            all.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        all.add("-Dlog4j2.configurationFile=" + LOGGING);
        child = new ChildProcess(
                new ProcessBuilder(ChildProcess.jvm(heap, temporary, all, classPath, main))
                        .directory(directory.toFile()),
                log(),
                this::receive,
                () -> {});
        child.say(job);
    }

    /** {@return the log file} */
    public Path log() {
        return directory.resolve("child.log");
    }

    /** {@return the name and version of the peer; empty before the child has reported it} */
    public synchronized String title() {
        return title;
    }

    /** {@return the peer's settings; empty before the child has reported them} */
    public synchronized Map<String, Object> settings() {
        return settings;
    }

    /** {@return the usage samples that the child has reported so far} */
    public synchronized List<PeerUsage> samples() {
        return List.copyOf(samples);
    }

    /** {@return the child's problem; null if there is none} */
    public synchronized String problem() {
        if (problem == null && end == null && !child.process().isAlive()) {
            return "the child JVM ended unexpectedly with status "
                    + child.process().exitValue();
        }
        return problem;
    }

    /** {@return the child's total usage; tells the child to end} */
    public PeerUsage end() throws InterruptedException {
        child.say(PeerMain.END);
        return Json.record(await(Duration.ofSeconds(END_SECONDS)), PeerUsage.class);
    }

    /**
     * Waits for the end of the child.
     *
     * @throws IllegalStateException when the child ends without a report, or does not end in time; the message has the end of
     *     its log
     */
    public Map<String, Object> await(Duration limit) throws InterruptedException {
        child.join(limit.toMillis());
        synchronized (this) {
            if (end == null) {
                problem = "the child JVM " + (child.process().isAlive() ? "does not end" : "ended without a report");
                throw new IllegalStateException(problem + "; the log " + log() + " ends with\n" + tail());
            }
            return end;
        }
    }

    /** {@return the last lines of the log} */
    public String tail() {
        return child.tail();
    }

    @SuppressWarnings("unchecked")
    private synchronized boolean receive(String line) {
        if (!line.startsWith(PeerMain.MARK)) {
            return false;
        }
        Map<String, Object> said = Json.readObject(line.substring(PeerMain.MARK.length()));
        switch ((String) said.get("what")) {
            case "started" -> {
                title = (String) said.get("title");
                settings = (Map<String, Object>) said.get("settings");
            }
            case "sample" -> samples.add(Json.record(said, PeerUsage.class));
            case "end" -> end = said;
            default -> problem = (String) said.get("problem");
        }
        return true;
    }

    /** Kills the child, and deletes its directory unless there was a problem. */
    @Override
    public void close() throws IOException {
        boolean wrong = problem() != null;
        child.kill();
        TemporaryTree.delete(wrong ? directory.resolve("tmp") : directory);
    }
}
