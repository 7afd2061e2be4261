package io.updraft.bench.workers;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.topology.state.BenchQuery;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.RunAddress;
import io.updraft.bench.topology.state.WorkerConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Collects the counts of the workers of one run. Workers connect with the run's id, and each question goes to all of them. Used
 * by one thread; a second thread accepts connections. When a worker is lost, its counts are lost, and every later question
 * throws {@link WorkerLost}.
 */
public final class WorkerReports implements AutoCloseable {

    private static final int BACKLOG = 256;
    private static final int MOST_WORKERS = 1024;

    private final ServerSocket server;
    private final RunAddress address;
    private final List<WorkerConnection> lines = new CopyOnWriteArrayList<>();
    private WorkerLost lostWorker;

    private WorkerReports(ServerSocket server) {
        this.server = server;
        this.address = RunAddress.random(server.getLocalPort());
    }

    /**
     * Starts to listen on a free port of the loopback address.
     *
     * @return the reports of a new run
     * @throws IOException when no port is free
     */
    public static WorkerReports open() throws IOException {
        WorkerReports reports = new WorkerReports(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        DaemonThreads.start("bench-reports", reports::acceptWorkers);
        return reports;
    }

    /** {@return the run's id, which components need to connect} */
    public String runId() {
        return address.runId();
    }

    /** {@return how many workers have connected} */
    public int workers() {
        return lines.size();
    }

    /**
     * Sends a question to all connected workers and waits for their answers.
     *
     * @return the sum of the workers' states
     * @throws WorkerLost when a worker has ended or does not answer, now or at an earlier question
     */
    public BenchRunState ask(BenchQuery question) {
        if (lostWorker != null) {
            throw lostWorker;
        }
        List<WorkerConnection> asked = List.copyOf(lines);
        for (WorkerConnection line : asked) {
            talk(line, () -> line.ask(question));
        }
        for (WorkerConnection line : asked) {
            talk(line, line::awaitAnswer);
        }
        return BenchRunState.ofWorkers(asked);
    }

    private void talk(WorkerConnection line, Talk talk) {
        try {
            talk.run();
        } catch (SocketTimeoutException e) {
            throw markLost(line, "did not answer for 15 s", e);
        } catch (IOException e) {
            throw markLost(line, "was lost during the run", e);
        }
    }

    private WorkerLost markLost(WorkerConnection line, String how, IOException cause) {
        line.close();
        lostWorker = new WorkerLost("the worker with process id " + line.pid() + " " + how, cause);
        return lostWorker;
    }

    private void acceptWorkers() {
        try (server) {
            while (lines.size() < MOST_WORKERS) {
                acceptWorkers(server.accept());
            }
        } catch (IOException e) {
            // the server socket is closed or broken; the harness notices workers that never connect
        }
    }

    private void acceptWorkers(Socket socket) {
        try {
            lines.add(WorkerConnection.accept(socket, address));
        } catch (IOException e) {
            System.err.println("bench: refused a connection: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // the run is over; a socket that fails to close does no harm
        }
        lines.forEach(WorkerConnection::close);
    }

    private interface Talk {
        void run() throws IOException;
    }
}
