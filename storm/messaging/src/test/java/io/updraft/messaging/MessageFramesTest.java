package io.updraft.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.junit.jupiter.api.Test;

/** Writing and reading of frames. */
final class MessageFramesTest {

    @Test
    void shouldReadTheLoadsThatWereWritten() {
        Map<Integer, Double> loads = Map.of(1, 0.5, 70_000, 1.0, -1, 0.0);
        assertThat(MessageFrames.loads(body(MessageFrames.loads(loads), MessageFrames.LOADS)))
                .isEqualTo(loads);
    }

    @Test
    void shouldReadTheBackPressureThatWasWritten() {
        ByteBuffer frame = MessageFrames.pressure(new BackPressureStatus("wörker", List.of(1, 70_000), null));
        BackPressureStatus read = MessageFrames.pressure(body(frame, MessageFrames.PRESSURE));
        assertThat(read.workerId).isEqualTo("wörker");
        assertThat(read.bpTasks).containsExactly(1, 70_000);
        assertThat(read.nonBpTasks).isNull();
    }

    @Test
    void shouldReadTheMessagesThatWereWritten() {
        ByteBuffer frame = ByteBuffer.allocate(100);
        MessageFrames.put(frame, new TaskMessage(70_000, new byte[] {1, 2, 3}));
        MessageFrames.put(frame, new TaskMessage(-1, new byte[0]));
        List<TaskMessage> read = MessageFrames.tuples(frame.flip());
        assertThat(read).extracting(TaskMessage::task).containsExactly(70_000, -1);
        assertThat(read.get(0).message()).containsExactly(1, 2, 3);
    }

    @Test
    void shouldRefuseEveryFrameThatEndsTooEarly() {
        ByteBuffer frame = body(
                MessageFrames.pressure(new BackPressureStatus("w", List.of(1), List.of(2))), MessageFrames.PRESSURE);
        for (int length = 0; length < frame.remaining(); length++) {
            ByteBuffer cut = frame.slice(frame.position(), length);
            assertThatThrownBy(() -> MessageFrames.pressure(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseNumbersThatTheFrameCannotHold() {
        for (int count : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 2}) {
            ByteBuffer loads = ByteBuffer.allocate(16).putInt(0, count);
            assertThatThrownBy(() -> MessageFrames.loads(loads))
                    .as("%d loads", count)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldTakeAnyBytesForMessagesOrRefuseThem() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] garbage = new byte[random.nextInt(64)];
            random.nextBytes(garbage);
            assertThat(readsOrRefuses(garbage)).as(Arrays.toString(garbage)).isTrue();
        }
    }

    private static boolean readsOrRefuses(byte[] garbage) {
        try {
            long bytes = MessageFrames.tuples(ByteBuffer.wrap(garbage)).stream()
                    .mapToLong(MessageFrames::size)
                    .sum();
            return bytes == garbage.length;
        } catch (IllegalArgumentException refused) {
            return true;
        }
    }

    private static ByteBuffer body(ByteBuffer frame, byte kind) {
        assertThat(frame.get()).isEqualTo(kind);
        return frame;
    }
}
