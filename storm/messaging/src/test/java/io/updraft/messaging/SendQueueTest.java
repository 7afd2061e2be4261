package io.updraft.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;

/** The bounds of the queue of a connection. */
final class SendQueueTest {

    @Test
    void shouldTakeNoMoreMessagesThanItIsFor() {
        SendQueue queue = new SendQueue(4, 1_000);
        int taken = 0;
        while (queue.offer(message(1))) {
            taken++;
        }
        assertThat(taken).isEqualTo(4);
    }

    @Test
    void shouldTakeNoMoreBytesThanItIsForButAlwaysOneMessage() {
        SendQueue queue = new SendQueue(100, 1_000);
        assertThat(queue.offer(message(5_000))).isTrue();
        assertThat(queue.offer(message(1))).isFalse();
        queue.remove();
        assertThat(queue.offer(message(999))).isTrue();
        assertThat(queue.offer(message(1))).isTrue();
        assertThat(queue.offer(message(1))).isFalse();
    }

    private static TaskMessage message(int bytes) {
        return new TaskMessage(1, new byte[bytes]);
    }
}
