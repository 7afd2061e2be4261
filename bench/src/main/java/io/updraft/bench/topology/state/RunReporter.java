package io.updraft.bench.topology.state;

import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The worker's side of the connection to the harness. It connects, sends the run's token and its process id, then answers
 * questions until the harness closes the connection. It has its own daemon thread, so that components never wait.
 *
 * <pre>
 *   worker ─► harness   magic:int length:int token:byte*length pid:long
 *   harness ─► worker   ordinal of a {@link BenchQuery}:byte
 *   worker ─► harness   {@link RunReport}
 * </pre>
 */
final class RunReporter implements Runnable {

    /** The first four bytes that a worker sends: "UBW1". */
    static final int MAGIC = 0x55425731;

    private static final int CONNECT_MILLIS = 10_000;

    private final RunAddress address;
    private final BenchRunState run;

    private RunReporter(RunAddress address, BenchRunState run) {
        this.address = address;
        this.run = run;
    }

    static void start(RunAddress address, BenchRunState run) {
        DaemonThreads.start("bench-reporter", new RunReporter(address, run));
    }

    @Override
    public void run() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            introduce(out);
            answer(new DataInputStream(new BufferedInputStream(socket.getInputStream())), out);
        } catch (IOException e) {
            // The harness notices and reports the lost connection; this line is for the worker's log.
            System.err.println("bench: no more reports to the harness at port " + address.port() + ": " + e);
        }
    }

    private void introduce(DataOutputStream out) throws IOException {
        byte[] token = address.token().getBytes(StandardCharsets.US_ASCII);
        out.writeInt(MAGIC);
        out.writeInt(token.length);
        out.write(token);
        out.writeLong(ProcessHandle.current().pid());
        out.flush();
    }

    private void answer(DataInputStream in, DataOutputStream out) throws IOException {
        BenchQuery[] questions = BenchQuery.values();
        for (int question = in.read(); question >= 0; question = in.read()) {
            if (question >= questions.length) {
                throw new IOException("unknown question " + question);
            }
            run.answer(questions[question]).write(out);
            out.flush();
        }
    }
}
