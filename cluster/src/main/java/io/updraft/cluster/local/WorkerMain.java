package io.updraft.cluster.local;

import io.updraft.base.json.JsonObject;
import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.OutOfMemoryCapsules;
import io.updraft.observe.inspection.InspectionServer;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RunDirectory;
import io.updraft.observe.signal.Signals;
import io.updraft.storm.LogLevels;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The main class of a worker process. The coordinator starts it with the topology's id, which is only for lists of processes,
 * and the worker's number. The path of the coordinator's socket is in the environment.
 */
public final class WorkerMain {
    /** The environment variable with the path of the coordinator's socket. */
    public static final String CONTROL = "UPDRAFT_CONTROL";

    /** The environment variable with the number of this start of the worker. */
    public static final String INCARNATION = "UPDRAFT_INCARNATION";

    /** The system property with the directory in which a worker opens the socket for operators; not set: no socket. */
    public static final String SOCKETS_PROPERTY = "updraft.sockets";

    /** The system property with the directory in which a worker writes its capsule; not set: no capsule. */
    public static final String DEATHS_PROPERTY = "updraft.deaths";

    private WorkerMain() {}

    /**
     * Runs a worker until the coordinator stops it or is gone, and exits.
     *
     * @param args the topology's id and the worker's number
     */
    public static void main(String[] args) {
        if (args.length != 2 || System.getenv(CONTROL) == null) {
            System.err.println("this class is a worker process: start it with 'updraft run --workers'");
            System.exit(WorkerExitCode.NOT_STARTED);
        }
        // The system class loader finds classes of the program too; Updraft's own threads must not.
        Thread.currentThread().setContextClassLoader(WorkerMain.class.getClassLoader());
        for (String signal : List.of("INT", "TERM", "HUP")) {
            // A terminal sends signals to every process of its group. The coordinator handles them, and drains first.
            Signals.handle(signal, null);
        }
        int code = run(Integer.parseInt(args[1]), Long.parseLong(System.getenv(INCARNATION)));
        if (code == WorkerExitCode.STOPPED) {
            System.exit(code); // runs the shutdown hooks of the topology
        }
        Runtime.getRuntime().halt(code);
    }

    @SuppressWarnings("try") // The socket is not used in the block; it must only be open.
    private static int run(int worker, long incarnation) {
        try (ControlChannel control =
                new ControlChannel(SocketChannel.open(UnixDomainSocketAddress.of(System.getenv(CONTROL))))) {
            control.send(new Hello(worker, incarnation, ProcessHandle.current().pid()));
            writeCapsules(worker);
            AssignedWorker local = new AssignedWorker(control, worker, incarnation);
            try (Closeable socket = openSocket(local, worker)) {
                return local.run();
            }
        } catch (IOException e) {
            return WorkerExitCode.ORPHANED;
        } catch (OutOfMemoryError e) {
            return WorkerExitCode.OUT_OF_MEMORY;
        }
    }

    private static void writeCapsules(int worker) {
        String directory = System.getProperty(DEATHS_PROPERTY);
        if (directory != null) {
            OutOfMemoryCapsules.install(
                    new DeathDirectory(Path.of(directory)), "worker " + worker, System.err::println);
        }
    }

    /** Opens the socket on which operators ask this process. Without one the worker works the same. */
    private static Closeable openSocket(AssignedWorker local, int worker) {
        String directory = System.getProperty(SOCKETS_PROPERTY);
        if (directory == null) {
            return () -> {};
        }
        Path path = RunDirectory.socketIn(
                Path.of(directory), ProcessHandle.current().pid());
        try {
            return InspectionServer.open(
                    path,
                    ProcessRequests.handlers(
                            JsonObject.of("role", "worker").with("worker", worker), local, new LogLevels()::apply));
        } catch (IOException | RuntimeException e) {
            LoggerFactory.getLogger(WorkerMain.class).warn("operators cannot ask this worker: {}", e.toString());
            return () -> {};
        }
    }

    /** Prints an uncaught exception of a user's thread as the JVM does by default. */
    static void print(Thread thread, Throwable failure) {
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        failure.printStackTrace();
    }
}
