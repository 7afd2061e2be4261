package io.updraft.bench.topology.state;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The harness's side of the connection to one worker; {@link RunReporter} shows the protocol. Used by one thread. */
public final class WorkerConnection implements AutoCloseable {

    private static final int HELLO_MILLIS = 2_000;
    private static final int ANSWER_MILLIS = 15_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final long pid;
    private RunReport lastReport;

    private WorkerConnection(Socket socket, DataInputStream in, DataOutputStream out, long pid) {
        this.socket = socket;
        this.in = in;
        this.out = out;
        this.pid = pid;
    }

    /**
     * Reads and checks the introduction of a process that has connected.
     *
     * @param socket the accepted socket; closed when this fails
     * @throws IOException when the process does not send the run's token, or sends nothing for two seconds
     */
    public static WorkerConnection accept(Socket socket, RunAddress address) throws IOException {
        try {
            socket.setSoTimeout(HELLO_MILLIS);
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            check(in, address);
            long pid = in.readLong();
            socket.setSoTimeout(ANSWER_MILLIS);
            return new WorkerConnection(
                    socket, in, new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())), pid);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void check(DataInputStream in, RunAddress address) throws IOException {
        byte[] expected = address.token().getBytes(StandardCharsets.US_ASCII);
        if (in.readInt() != RunReporter.MAGIC || in.readInt() != expected.length) {
            throw new IOException("the connecting process is not a worker of the bench");
        }
        byte[] token = new byte[expected.length];
        in.readFully(token);
        if (!MessageDigest.isEqual(token, expected)) {
            throw new IOException("the worker has the token of another run");
        }
    }

    /** {@return the worker's process id} */
    public long pid() {
        return pid;
    }

    /**
     * Sends a question.
     *
     * @throws IOException when the worker is gone
     */
    public void ask(BenchQuery question) throws IOException {
        out.writeByte(question.ordinal());
        out.flush();
    }

    /**
     * Waits at most 15 seconds for the answer to a question.
     *
     * @throws IOException when the connection is lost; a {@link java.net.SocketTimeoutException} when no answer comes in time
     */
    public void awaitAnswer() throws IOException {
        lastReport = RunReport.read(in);
    }

    /** {@return the last answer, or null before the first} */
    RunReport lastReport() {
        return lastReport;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // the connection is no longer used; a failed close does no harm
        }
    }
}
