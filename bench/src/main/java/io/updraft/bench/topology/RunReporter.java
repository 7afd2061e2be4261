package io.updraft.bench.topology;

import io.updraft.base.json.Json;
import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The worker's side of the connection to the harness. It connects, sends the run's token and its process id, then answers
 * questions until the harness closes the connection. It has its own daemon thread, so that components never wait.
 *
 * <pre>
 *   worker ─► harness   token process-id
 *   harness ─► worker   name of a {@link BenchQuery}
 *   worker ─► harness   {@link RunReport} in JSON
 * </pre>
 *
 * Each is one line.
 */
final class RunReporter {

    private static final int CONNECT_MILLIS = 10_000;

    private RunReporter() {}

    static void start(RunAddress address, BenchRunState run) {
        DaemonThreads.start("bench-reporter", () -> report(address, run));
    }

    private static void report(RunAddress address, BenchRunState run) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            Writer out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
            out.append(address.token() + " " + ProcessHandle.current().pid() + "\n")
                    .flush();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.append(Json.write(run.answer(BenchQuery.valueOf(question))) + "\n")
                        .flush();
            }
        } catch (IOException | IllegalArgumentException e) {
            // The harness notices and reports the lost connection; this line is for the worker's log.
            System.err.println("bench: no more reports to the harness at port " + address.port() + ": " + e);
        }
    }
}
