package io.updraft.transport.ucx;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * The program of {@code src/vm/rdma-test} in its virtual machine, which has no Maven: tests, and the two ends of a transfer.
 *
 * <pre>
 *   test CLASS[#METHOD],...     receive PORTFILE MIB     send PORTFILE MIB
 * </pre>
 */
final class RdmaGuest {

    private static final long DEADLINE_NANOS = 300_000_000_000L;
    private static final int MESSAGE_BYTES = 16 * 1024;

    private RdmaGuest() {}

    public static void main(String[] args) throws Exception {
        boolean isFine = switch (args[0]) {
            case "test" -> test(args[1]);
            case "receive" -> transfer(new Receiver(Path.of(args[1]), messages(args[2])));
            case "send" -> transfer(new Sender(Path.of(args[1]), messages(args[2])));
            default -> throw new IllegalArgumentException(args[0]);
        };
        System.exit(isFine ? 0 : 1);
    }

    private static int messages(String mib) {
        return Integer.parseInt(mib) * (1024 * 1024 / MESSAGE_BYTES);
    }

    private static boolean test(String names) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(names.split(",")).map(RdmaGuest::selector).toList())
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary, new Progress());
        summary.getSummary().printFailuresTo(new PrintWriter(System.out), 40);
        summary.getSummary().printTo(new PrintWriter(System.out));
        return summary.getSummary().getTotalFailureCount() == 0
                && summary.getSummary().getTestsSucceededCount() > 0;
    }

    private static DiscoverySelector selector(String name) {
        return name.contains("#") ? selectMethod(name) : selectClass(name);
    }

    private static boolean transfer(End end) throws Exception {
        TransportOptions options =
                TransportOptions.of(Map.of(UcxSettings.TLS, "rc", TransportOptions.CONNECT_TIMEOUT, 60_000));
        try (Transport transport = new UcxTransportProvider().create(options)) {
            System.out.println(end.getClass().getSimpleName() + ": " + transport.description());
            long start = System.nanoTime();
            end.start(transport);
            while (!end.isDone() && System.nanoTime() - start < DEADLINE_NANOS) {
                if (transport.poll() == 0) {
                    transport.await(5_000_000);
                }
            }
            System.out.println(end.getClass().getSimpleName() + ": " + end.result() + " in "
                    + (System.nanoTime() - start) / 1_000_000 + " ms");
            return end.isRight();
        }
    }

    /** Byte number i of message number m; the receiver checks them all. */
    private static byte content(int m, int i) {
        return (byte) (m * 31 + i * 7 + (i >> 8));
    }

    /** One end of the transfer. */
    private abstract static class End implements ChannelHandler {

        final Path portFile;
        final int messages;
        Channel channel;
        String closed;

        End(Path portFile, int messages) {
            this.portFile = portFile;
            this.messages = messages;
        }

        abstract void start(Transport transport) throws Exception;

        abstract boolean isRight();

        abstract String result();

        boolean isDone() {
            return closed != null;
        }

        @Override
        public void onOpen(Channel opened) {
            channel = opened;
        }

        @Override
        public void onMessage(ByteBuffer message) {}

        @Override
        public void onWritable() {}

        @Override
        public void onClosed(String reason) {
            closed = reason;
        }
    }

    /** Sends all, and waits for the receiver to close. */
    private static final class Sender extends End {

        private int sent;

        Sender(Path portFile, int messages) {
            super(portFile, messages);
        }

        @Override
        void start(Transport transport) throws Exception {
            long end = System.nanoTime() + DEADLINE_NANOS;
            while (!Files.exists(portFile) && System.nanoTime() < end) {
                transport.await(10_000_000);
            }
            int port = Integer.parseInt(Files.readString(portFile));
            transport.connect(new Address(System.getProperty(UcxContract.RDMA_ADDRESS), port), this);
        }

        @Override
        public void onOpen(Channel opened) {
            super.onOpen(opened);
            send();
        }

        @Override
        public void onWritable() {
            send();
        }

        private void send() {
            while (sent < messages && channel.offer(message(sent))) {
                sent++;
            }
            channel.flush();
        }

        private static ByteBuffer message(int m) {
            ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES);
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                message.put(i, content(m, i));
            }
            return message;
        }

        @Override
        boolean isRight() {
            return sent == messages;
        }

        @Override
        String result() {
            return "sent " + sent + " messages of " + MESSAGE_BYTES + " bytes; " + closed;
        }
    }

    /** Checks all, and closes when the last one is there. */
    private static final class Receiver extends End {

        private int received;
        private int wrong;

        Receiver(Path portFile, int messages) {
            super(portFile, messages);
        }

        @Override
        void start(Transport transport) throws Exception {
            Binding binding = transport.bind(new Address(System.getProperty(UcxContract.RDMA_ADDRESS), 0), () -> this);
            Path written = Files.writeString(
                    Path.of(portFile + ".new"), String.valueOf(binding.address().port()));
            Files.move(written, portFile);
        }

        @Override
        public void onMessage(ByteBuffer message) {
            if (!isRight(message)) {
                wrong++;
            }
            received++;
            if (received == messages) {
                channel.close();
            }
        }

        private boolean isRight(ByteBuffer message) {
            if (message.remaining() != MESSAGE_BYTES) {
                return false;
            }
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                if (message.get(message.position() + i) != content(received, i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        boolean isRight() {
            return received == messages && wrong == 0;
        }

        @Override
        String result() {
            return "received " + received + " messages, each byte checked, " + wrong + " wrong; " + closed;
        }
    }

    /** Prints each test as it ends: a guest that is stuck should say where. */
    private static final class Progress implements TestExecutionListener {

        private long start;

        @Override
        public void executionStarted(TestIdentifier test) {
            start = System.nanoTime();
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            System.out.println("    skipped " + test.getDisplayName() + ": " + reason);
        }

        private static String nameOf(TestIdentifier test) {
            String method = test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse("");
            return test.getDisplayName().startsWith(method) ? method : method + " " + test.getDisplayName();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                System.out.println("    " + result.getStatus() + " "
                        + nameOf(test) + " "
                        + (System.nanoTime() - start) / 1_000_000 + " ms"
                        + result.getThrowable().map(thrown -> ": " + thrown).orElse(""));
            }
        }
    }
}
