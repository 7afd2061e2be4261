package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.cluster.signal.Signals;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * The process of a worker. Started by the coordinator, with the topology's id (for people who look at the list of processes)
 * and the worker's number; where the coordinator listens is in the environment.
 */
public final class WorkerMain {
    /** The environment variable with the path of the coordinator's socket. */
    static final String CONTROL = "UPDRAFT_CONTROL";

    /** The environment variable with the number of this start of the worker. */
    static final String INCARNATION = "UPDRAFT_INCARNATION";

    private WorkerMain() {}

    /**
     * Runs a worker until it is told to stop or the coordinator is gone, and exits.
     *
     * @param args the topology's id and the worker's number
     */
    public static void main(String[] args) {
        if (args.length != 2 || System.getenv(CONTROL) == null) {
            System.err.println("this is a worker of 'updraft run --workers', which starts it");
            System.exit(WorkerExit.NOT_STARTED);
        }
        ignoreSignals();
        exit(run(Integer.parseInt(args[1]), Long.parseLong(System.getenv(INCARNATION))));
    }

    private static int run(int worker, long incarnation) {
        try (ControlChannel control =
                new ControlChannel(SocketChannel.open(UnixDomainSocketAddress.of(System.getenv(CONTROL))))) {
            control.send(new Hello(worker, incarnation, ProcessHandle.current().pid()));
            return new Worker(control, worker, incarnation).run();
        } catch (IOException e) {
            return WorkerExit.ORPHANED;
        } catch (OutOfMemoryError e) {
            return WorkerExit.OUT_OF_MEMORY;
        }
    }

    /** A terminal sends its signals to every process: the coordinator decides what they mean, and drains first. */
    private static void ignoreSignals() {
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.handle(signal, null);
        }
    }

    /** With no coordinator, or no memory, there is nobody to wait for; else shutdown hooks of the topology's are run. */
    private static void exit(int code) {
        if (code == WorkerExit.STOPPED) {
            System.exit(code);
        }
        Runtime.getRuntime().halt(code);
    }

    /** Prints what ended a thread of the user's, as the JVM does where nobody handles it. */
    static void print(Thread thread, Throwable failure) {
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        failure.printStackTrace();
    }
}
