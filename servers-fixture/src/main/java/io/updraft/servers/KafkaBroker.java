package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One broker of a {@link KafkaServer}. It keeps its port and its data over restarts. May be used from any thread, but only from
 * one at a time.
 */
public final class KafkaBroker {

    /** Java's exit value of a process that was ended by signal 9. */
    private static final int KILLED = 128 + 9;

    private final ServerHome home;
    private final int id;
    private final int port;
    private final String clusterId;
    private final List<String> jvmOptions;
    private final Map<String, String> config;
    private Process process;

    KafkaBroker(
            ServerHome home, int id, int port, String clusterId, List<String> jvmOptions, Map<String, String> config) {
        this.home = home;
        this.id = id;
        this.port = port;
        this.clusterId = clusterId;
        this.jvmOptions = jvmOptions;
        this.config = config;
    }

    /** {@return the broker's number in the cluster, from 1} */
    public int id() {
        return id;
    }

    /** {@return the host and port for clients} */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** {@return the process id of the current JVM, or of the last one} */
    public long pid() {
        return process.pid();
    }

    /** {@return whether the process exists, suspended or not} */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Returns whether the process has ended, but not by {@link #kill}. */
    boolean failed() {
        return process != null && !process.isAlive() && process.exitValue() != KILLED;
    }

    /**
     * Starts the broker, or restarts it on the same port with the same data. Returns at once; see {@link
     * KafkaServer#awaitBrokers}.
     */
    public void start() {
        if (isAlive()) {
            throw new ServerException("broker " + id + " is already running");
        }
        process = home.start(
                name(),
                ServerJvm.command(
                        jvmOptions, BrokerMain.class.getName(), properties().toString(), data().toString(), clusterId));
    }

    /** Kills the broker with kill -9. Returns after its death. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGSTOP: the broker keeps its connections, but does not answer. */
    public void suspend() {
        ServerHome.signal(process, "STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        ServerHome.signal(process, "CONT");
    }

    private String name() {
        return "kafka-" + id;
    }

    private Path data() {
        return home.root().resolve(name());
    }

    private Path properties() {
        String text = config.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n", "", "\nlog.dirs=" + data() + "\n"));
        try {
            return Files.writeString(home.root().resolve(name() + ".properties"), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of broker " + id, e);
        }
    }
}
