package io.updraft.bench.topology;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Collects the counts of the workers of one run. Workers connect with the run's id, and each question goes to all of them;
 * {@link RunReporter} shows the protocol. Used by one thread; a second thread accepts connections. When a worker is lost, its
 * counts are lost, and every later question throws {@link RunFailed}.
 */
public final class WorkerReports implements AutoCloseable {

    private static final int BACKLOG = 256;
    private static final int MOST_WORKERS = 1024;
    private static final int HELLO_MILLIS = 2_000;
    private static final int ANSWER_MILLIS = 15_000;

    private final ServerSocket server;
    private final RunAddress address;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private RunFailed lost;

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
        return workers.size();
    }

    /**
     * Sends a question to all connected workers and waits for their answers.
     *
     * @return the sum of the workers' states
     * @throws RunFailed when a worker has ended or does not answer, now or at an earlier question
     */
    public BenchRunState ask(BenchQuery question) {
        if (lost != null) {
            throw lost;
        }
        List<Worker> connected = List.copyOf(workers);
        BenchRunState all = new BenchRunState();
        connected.forEach(worker -> talk(worker, () -> worker.ask(question)));
        connected.forEach(worker -> talk(worker, () -> all.add(worker.answer())));
        return all;
    }

    private void talk(Worker worker, Talk talk) {
        try {
            talk.run();
        } catch (IOException e) {
            worker.close();
            String loss = e instanceof SocketTimeoutException ? "did not answer for 15 s" : "was lost during the run";
            lost = new RunFailed("the worker with process id " + worker.pid + " " + loss, e);
            throw lost;
        }
    }

    private void acceptWorkers() {
        try (server) {
            while (workers.size() < MOST_WORKERS) {
                accept(server.accept());
            }
        } catch (IOException e) {
            // the server socket is closed or broken; the harness notices workers that never connect
        }
    }

    private void accept(Socket socket) throws IOException {
        try {
            workers.add(new Worker(socket, address));
        } catch (IOException e) {
            socket.close();
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
        workers.forEach(Worker::close);
    }

    private interface Talk {
        void run() throws IOException;
    }

    private static final class Worker {

        private final Socket socket;
        private final BufferedReader in;
        private final String pid;

        /** Reads the introduction. Fails when it has not the run's token, or when nothing comes for two seconds. */
        Worker(Socket socket, RunAddress address) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(HELLO_MILLIS);
            socket.setTcpNoDelay(true);
            byte[] token = socket.getInputStream().readNBytes(address.token().length());
            if (!MessageDigest.isEqual(token, address.token().getBytes(StandardCharsets.US_ASCII))) {
                throw new IOException("the connecting process does not have the token of this run");
            }
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            pid = line().strip();
            socket.setSoTimeout(ANSWER_MILLIS);
        }

        private String line() throws IOException {
            String line = in.readLine();
            if (line == null) {
                throw new EOFException("the worker has closed the connection");
            }
            return line;
        }

        void ask(BenchQuery question) throws IOException {
            socket.getOutputStream().write((question + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        RunReport answer() throws IOException {
            String line = line();
            try {
                return Json.read(line, RunReport.class);
            } catch (JsonException e) {
                throw new IOException("the worker's answer is not a report: " + e.getMessage(), e);
            }
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // the connection is no longer used; a failed close does no harm
            }
        }
    }
}
