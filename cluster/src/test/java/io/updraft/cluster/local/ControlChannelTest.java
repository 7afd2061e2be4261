package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.AskDeadLetters;
import io.updraft.cluster.local.ControlMessage.AskIdle;
import io.updraft.cluster.local.ControlMessage.AskSettingsApplied;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.Deactivate;
import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.cluster.local.ControlMessage.DeadLettersChanged;
import io.updraft.cluster.local.ControlMessage.EngineFailed;
import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.cluster.local.ControlMessage.IdleReport;
import io.updraft.cluster.local.ControlMessage.LiveConfig;
import io.updraft.cluster.local.ControlMessage.Peers;
import io.updraft.cluster.local.ControlMessage.SettingsApplied;
import io.updraft.cluster.local.ControlMessage.StartFailed;
import io.updraft.cluster.local.ControlMessage.Started;
import io.updraft.cluster.local.ControlMessage.StateReport;
import io.updraft.cluster.local.ControlMessage.Stop;
import io.updraft.cluster.local.ControlMessage.WorkerAssignment;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySum;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.Move;
import io.updraft.engine.snapshot.OutputSnapshot;
import io.updraft.engine.snapshot.StreamsSnapshot;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.OldObjects;
import io.updraft.observe.process.WorkerFailure;
import io.updraft.storm.instrument.Instruments;
import io.updraft.transport.Address;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControlChannelTest {
    private static final LetterRecord LETTER =
            new LetterRecord(3, "spout", 4, "default", "id", "[1]", 2, "failed", 5, "POSSIBLE");

    private static LogConfig levels() {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level("DEBUG");
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level("com.acme", level);
        return config;
    }

    static Stream<ControlMessage> messages() {
        return Stream.of(
                new Hello(3, 1L << 40, 4711),
                new Started(new Endpoints("a", new Address("127.0.0.1", 4242), new Address("a", 4243))),
                new Started(null),
                new StartFailed("no room, na\u00efve"),
                new IdleReport(9, true, 5, 6),
                new Peers(List.of(
                        new PeerAddress(1, 2, new Endpoints("b", new Address("localhost", 3), new Address("b", 4))))),
                new Activate(),
                new Deactivate(),
                new AskState(7),
                new AskIdle(8),
                new LiveConfig(Map.of("c", Instruments.debugOptionsOf(true, 12.5)), levels()),
                new AskSettingsApplied(10),
                new SettingsApplied(11),
                new AskDeadLetters(12, true, List.of(3L, 5L)),
                new DeadLetterReport(13, List.of(LETTER), List.of(3L), null),
                new DeadLettersChanged(List.of(LETTER)),
                new Stop());
    }

    private static StateReport state() {
        EngineSnapshot snapshot = new EngineSnapshot(
                1,
                true,
                List.of(new ComponentSnapshot(
                        "c",
                        false,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        14,
                        15,
                        true,
                        false,
                        new LatencySummary(1, 2, 3, 4, 5, new LatencyHistogram(6, List.of(7L, 8L))),
                        LatencySummary.EMPTY,
                        List.of(new ExecutorSnapshot(
                                21,
                                22,
                                23,
                                24,
                                25,
                                26,
                                27,
                                28,
                                new StreamsSnapshot(
                                        List.of(new OutputSnapshot("o", 1, 2, 3, 4, new LatencySum(5, 6))),
                                        List.of(new InputSnapshot(
                                                "a",
                                                "s",
                                                7,
                                                8,
                                                9,
                                                new LatencySum(10, 11),
                                                new LatencySum(12, 13)))))))),
                List.of(new EdgeSnapshot("a", "s", "b", true)),
                new long[] {1, 2},
                3,
                List.of(),
                List.of(new CallInProgress("c", 4, "execute", 5, "t", "sleeping", true, List.of("a.B.c(B.java:1)"))),
                List.of(new KeyedStream(
                        "a", "s", "b", "word", new long[] {7, 8}, List.of(new KeyRate("the", 4, 1, 9)), List.of(4))),
                List.of(new Move(1, "c, task 21", "loop 0", "a thread of its own", "slow")),
                List.of());
        return new StateReport(
                6,
                snapshot,
                new JvmUsage(
                        3_600_000, 1L << 33, 1L << 34, new OldObjects(1L << 32, 1L << 33, 5), 5_000_000_000_000L, 42),
                true,
                new HeapHolder("c", "task 4", 1L << 32, "field seen"));
    }

    static Stream<ControlMessage> messagesAndState() {
        return Stream.concat(messages(), Stream.of(state()));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadWhatWasWritten(ControlMessage message) throws Exception {
        assertThat(decode(ControlCodec.encode(message))).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messagesAndState")
    void shouldRefuseWhatIsCutOffOrTooLong(ControlMessage message) {
        byte[] whole = ControlCodec.encode(message);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(part)).isInstanceOf(IOException.class);
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        assertThatThrownBy(() -> decode(longer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bytes after its end");
    }

    @Test
    void shouldCarryATopologyWithItsConfiguration() throws Exception {
        WorkerAssignment sent =
                new WorkerAssignment("n", "n-1", 3, new byte[] {1, 2}, "{}", "a.jar", List.of("b"), new byte[32], 5);
        assertThat(decode(ControlCodec.encode(sent))).usingRecursiveComparison().isEqualTo(sent);
    }

    @Test
    void shouldCarryAState() throws Exception {
        StateReport sent = state();
        StateReport read = (StateReport) decode(ControlCodec.encode(sent));
        assertThat(read).usingRecursiveComparison().isEqualTo(sent);
    }

    @Test
    void shouldReportTheUsageOfAProcessInALittleSpace() {
        StateReport idle = new StateReport(6, state().snapshot(), JvmUsage.START, false, null);
        StateReport busy = new StateReport(
                6,
                idle.snapshot(),
                new JvmUsage(
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        new OldObjects(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
                        Long.MAX_VALUE,
                        Long.MAX_VALUE),
                false,
                null);
        byte[] first = ControlCodec.encode(idle);
        byte[] second = ControlCodec.encode(busy);
        assertThat(second).hasSameSizeAs(first);
        assertThat(first.length - Arrays.mismatch(first, second)).isEqualTo(8 * Long.BYTES + 2);
    }

    @Test
    void shouldCarryAFailureWithItsTraceAndCause() throws Exception {
        Exception cause = new IOException("the disk is full");
        ErrorReport report = new ErrorReport(5, "c", 4, "execute", new IllegalStateException("bad", cause), "died");
        ErrorReport read = ((EngineFailed) decode(ControlCodec.encode(new EngineFailed(report, null)))).report();
        WorkerFailure failure = (WorkerFailure) read.error();
        assertThat(failure).hasToString("java.lang.IllegalStateException: bad");
        assertThat(failure.type()).isEqualTo("java.lang.IllegalStateException");
        assertThat(failure.getStackTrace()[0].getMethodName()).isEqualTo("shouldCarryAFailureWithItsTraceAndCause");
        assertThat(failure.getCause()).hasToString("java.io.IOException: the disk is full");
        assertThat(read.componentId() + read.taskId() + read.during() + read.consequence())
                .isEqualTo("c4executedied");
    }

    @Test
    void shouldRefuseAnotherVersion() {
        byte[] message = ControlCodec.encode(new Stop());
        message[0]++;
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has version " + (ControlCodec.VERSION + 1) + ", but this side has version "
                        + ControlCodec.VERSION);
    }

    @Test
    void shouldRefuseALengthBeyondTheMessageBeforeItAllocates() {
        byte[] message = ControlCodec.encode(new StartFailed("text"));
        ByteBuffer.wrap(message).putInt(3, Integer.MAX_VALUE);
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(IOException.class)
                .hasMessage("a control message announces a length of 2147483647, but only 4 bytes are left");
    }

    @Test
    void shouldRefuseAnUnknownType() {
        byte[] message = {ControlCodec.VERSION, 100};
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(IOException.class)
                .hasMessage("unknown type of control message: 100");
    }

    @Test
    void shouldRefuseAnAddressThatIsNone() {
        byte[] message =
                ControlCodec.encode(new Started(new Endpoints("a", new Address("b", 1), new Address("c", 65_535))));
        message[message.length - 3] = 1;
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a control message has an invalid Address: port 131071 of c");
    }

    @Test
    void shouldRefuseAFailureOfTooManyCauses() throws Exception {
        FailureRecord failure = null;
        for (int i = 0; i < 1_000; i++) {
            failure = new FailureRecord("t", null, List.of(), failure);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RecordCodec.write(new DataOutputStream(bytes), FailureRecord.class, failure);
        assertThatThrownBy(() -> RecordCodec.read(ByteBuffer.wrap(bytes.toByteArray()), FailureRecord.class))
                .isInstanceOf(IOException.class)
                .hasMessage("a control message is nested more than 32 levels deep");
    }

    @Test
    void shouldSpeakOverASocketThatNobodyElseCanReach() throws Exception {
        BlockingQueue<ControlMessage> received = new LinkedBlockingQueue<>();
        try (ControlServer server = ControlServer.open(channel -> receiveAll(channel, received))) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(server.path().getParent())))
                    .isEqualTo("rwx------");
            try (ControlChannel channel =
                    new ControlChannel(SocketChannel.open(UnixDomainSocketAddress.of(server.path())))) {
                channel.send(new Hello(1, 2, 3));
                assertThat(channel.receive()).isEqualTo(new AskState(1));
            }
            assertThat(received.poll(60, TimeUnit.SECONDS)).isEqualTo(new Hello(1, 2, 3));
            assertThat(received.poll(60, TimeUnit.SECONDS)).isEqualTo(new StartFailed("end"));
        }
    }

    @Test
    void shouldRemoveItsDirectory() throws Exception {
        ControlServer server = ControlServer.open(channel -> {});
        server.close();
        assertThat(server.path().getParent()).doesNotExist();
    }

    private static void receiveAll(ControlChannel channel, BlockingQueue<ControlMessage> received) {
        try (channel) {
            received.add(channel.receive());
            channel.send(new AskState(1));
            received.add(channel.receive() == null ? new StartFailed("end") : new Stop());
        } catch (IOException e) {
            received.add(new StartFailed(e.getMessage()));
        }
    }

    private static ControlMessage decode(byte[] bytes) throws IOException {
        return ControlCodec.decode(ByteBuffer.wrap(bytes));
    }
}
