package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.Deactivate;
import io.updraft.cluster.local.ControlMessage.LiveConfig;
import io.updraft.cluster.local.ControlMessage.Stop;
import io.updraft.cluster.local.WorkerSlot.RestartDelay;
import io.updraft.observe.process.WorkerStatus;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Orders to a worker that is stopped and reads nothing. */
@Timeout(240)
class ControlSenderTest {
    /** More than any socket keeps for one that does not read. */
    private static final int MUCH = 200;

    @TempDir
    private Path directory;

    private ServerSocketChannel server;
    private ControlChannel worker;
    private WorkerSlot slot;

    @BeforeEach
    void connect() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
        worker = new ControlChannel(SocketChannel.open(address));
        slot = new WorkerSlot(
                0,
                new WorkerCommand(List.of("sleep", "300"), directory, "%p"),
                new RestartDelay(1),
                new WorkerLetters(1000));
        slot.launch(directory, new RecordedLines());
        slot.connect(new ControlChannel(server.accept()));
        slot.enter(WorkerStatus.State.RUNNING);
    }

    @AfterEach
    void close() throws Exception {
        slot.kill();
        slot.closeChannel();
        worker.close();
        server.close();
    }

    private static LiveConfig large() {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level("DEBUG");
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level("a".repeat(20_000), level);
        return new LiveConfig(Map.of(), config);
    }

    private void sendMuch() {
        for (int i = 0; i < MUCH; i++) {
            slot.send(large());
        }
    }

    @Test
    void shouldGoOnAlthoughTheWorkerReadsNothing() throws Exception {
        sendMuch();
        slot.send(new Stop());
        slot.kill();

        assertThat(slot.process.onExit().get(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void shouldSendAllInOrderWhenTheWorkerReadsAgain() throws Exception {
        slot.send(new Activate());
        sendMuch();
        slot.send(new Deactivate());
        slot.ask(1, new AskState(1));
        slot.send(new Stop());

        assertThat(worker.receive()).isEqualTo(new Activate());
        for (int i = 0; i < MUCH; i++) {
            assertThat(worker.receive()).isEqualTo(large());
        }
        assertThat(worker.receive()).isEqualTo(new Deactivate());
        assertThat(worker.receive()).isEqualTo(new AskState(1));
        assertThat(worker.receive()).isEqualTo(new Stop());
    }

    @Test
    void shouldEndItsThreadWithTheConnection() throws Exception {
        sendMuch();

        CompletableFuture.runAsync(slot::closeChannel).get(60, TimeUnit.SECONDS);

        Await.until(
                "nobody sends any more",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("updraft-control-sender-0")));
        slot.send(new Stop());
    }
}
