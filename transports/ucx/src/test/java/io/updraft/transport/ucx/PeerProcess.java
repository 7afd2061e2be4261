package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A separate process that listens and echoes messages, until it is killed. */
final class PeerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    /** Starts it, with environment variables on top of ours. */
    PeerProcess(String tls, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PeerProcess.class.getName(),
                tls));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The first thing it says: its port, or why it cannot run. */
    String firstLine() throws IOException {
        return output.readLine();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) {
        Map<String, Object> conf = Map.of(UcxSettings.TLS, args[0], TransportOptions.CONNECT_TIMEOUT, 20_000);
        try (Transport transport = new UcxTransportProvider().create(TransportOptions.of(conf))) {
            Binding binding = transport.bind(new Address("127.0.0.1", 0), Echo::new);
            System.out.println(binding.address().port());
            // Whoever started this kills it; should that one be killed itself, this ends as well.
            ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
            while (parent.isAlive()) {
                if (transport.poll() == 0) {
                    transport.await(10_000_000);
                }
            }
        } catch (TransportException missing) {
            System.out.println(missing.getMessage());
        }
    }

    private static final class Echo implements ChannelHandler {

        private Channel channel;

        @Override
        public void onOpen(Channel opened) {
            channel = opened;
        }

        @Override
        public void onMessage(ByteBuffer message) {
            channel.offer(message);
            channel.flush();
        }

        @Override
        public void onWritable() {}

        @Override
        public void onClosed(String reason) {}
    }
}
