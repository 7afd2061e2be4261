package io.updraft.bench.workers;

import io.updraft.bench.topology.Question;
import io.updraft.bench.topology.RunAddress;
import io.updraft.bench.topology.RunState;
import io.updraft.bench.topology.WorkerLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts what happens in the workers of one run: they connect by the run's id, and are asked all at once. Used by one
 * thread; another one lets workers in. A worker that is lost stays lost: what it had counted is gone, and so is the run.
 */
public final class WorkerReports implements AutoCloseable {

    private static final int BACKLOG = 256;
    private static final int MOST_WORKERS = 1024;

    private final ServerSocket server;
    private final RunAddress address;
    private final List<WorkerLine> lines = new CopyOnWriteArrayList<>();
    private WorkerLost lost;

    private WorkerReports(ServerSocket server) {
        this.server = server;
        this.address = RunAddress.random(server.getLocalPort());
    }

    /**
     * Begins to listen on a free port of the loopback address.
     *
     * @return the reports of a new run
     * @throws IOException when there is no such port
     */
    public static WorkerReports open() throws IOException {
        WorkerReports reports = new WorkerReports(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(reports::letIn, "bench-reports");
        thread.setDaemon(true);
        thread.start();
        return reports;
    }

    /** {@return the run's id, for the components} */
    public String runId() {
        return address.runId();
    }

    /** {@return how many workers have connected} */
    public int workers() {
        return lines.size();
    }

    /**
     * Asks all workers that have connected, and waits for their answers.
     *
     * @param question what to ask
     * @return all that they have counted
     * @throws WorkerLost when one of them has ended or says nothing, now or ever before
     */
    public RunState ask(Question question) {
        if (lost != null) {
            throw lost;
        }
        List<WorkerLine> asked = List.copyOf(lines);
        for (WorkerLine line : asked) {
            talk(line, () -> line.ask(question));
        }
        for (WorkerLine line : asked) {
            talk(line, line::hear);
        }
        return RunState.told(asked);
    }

    private void talk(WorkerLine line, Talk talk) {
        try {
            talk.run();
        } catch (SocketTimeoutException e) {
            throw lose(line, "did not answer for 15 s", e);
        } catch (IOException e) {
            throw lose(line, "was lost during the run", e);
        }
    }

    private WorkerLost lose(WorkerLine line, String how, IOException cause) {
        line.close();
        lost = new WorkerLost("the worker with process id " + line.pid() + " " + how, cause);
        return lost;
    }

    private void letIn() {
        try (server) {
            while (lines.size() < MOST_WORKERS) {
                letIn(server.accept());
            }
        } catch (IOException e) {
            // closed, or of no use any more: workers that do not come are noticed by their absence
        }
    }

    private void letIn(Socket socket) {
        try {
            lines.add(WorkerLine.accept(socket, address));
        } catch (IOException e) {
            System.err.println("bench: turned a connection away: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // nobody listens any more in any case
        }
        lines.forEach(WorkerLine::close);
    }

    private interface Talk {
        void run() throws IOException;
    }
}
