package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UcxReceiverTest {

    private static final int MOST = 100_000;

    private final UcxReceiver in = new UcxReceiver(new FrameBuffers(), MOST);
    private final List<byte[]> received = new ArrayList<>();

    @Test
    void shouldBringFramesIntoTheOrderOfTheirSequence() throws Exception {
        List<ByteBuffer> frames = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            frames.add(frame(i, ByteBuffer.allocate(8).putInt(4).putInt(i).array()));
        }
        Collections.shuffle(frames, new Random(5));
        for (ByteBuffer frame : frames) {
            assertThat(in.arrive(frame)).isTrue();
            readAll();
        }
        assertThat(received).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(ByteBuffer.wrap(received.get(i)).getInt()).isEqualTo(i);
        }
    }

    @Test
    void shouldRefuseAFrameThatComesTwice() {
        assertThat(in.arrive(frame(0, new byte[0]))).isTrue();
        assertThat(in.arrive(frame(0, new byte[0]))).isFalse();
        assertThat(in.arrive(frame(7, new byte[0]))).isTrue();
        assertThat(in.arrive(frame(7, new byte[0]))).isFalse();
    }

    @Test
    void shouldNotHoldFramesWithoutBoundForOneThatNeverComes() {
        int sequence = 1;
        while (in.arrive(frame(sequence, new byte[0]))) {
            assertThat(++sequence).isLessThan(100_000);
        }
        assertThat(sequence).isGreaterThan(1_000);
    }

    @Test
    void shouldJoinMessagesHoweverTheyAreCutIntoFrames() throws Exception {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            List<byte[]> messages = messages(random);
            sendCut(messages, random);
            assertThat(received.toArray(new byte[0][])).isDeepEqualTo(messages.toArray(new byte[0][]));
            received.clear();
        }
    }

    private int sequence;

    /** Lengths are never cut; all else is. */
    private void sendCut(List<byte[]> messages, Random random) throws Exception {
        ByteBuffer frame = ByteBuffer.allocate(1 << 15);
        for (byte[] message : messages) {
            if (random.nextInt(3) == 0) {
                frame = deliver(frame);
            }
            frame.putInt(message.length);
            for (int at = 0; at < message.length; ) {
                int bytes = Math.min(message.length - at, 1 + random.nextInt(5_000));
                frame.put(message, at, bytes);
                at += bytes;
                if (at < message.length || random.nextBoolean()) {
                    frame = deliver(frame);
                }
            }
        }
        deliver(frame);
    }

    private ByteBuffer deliver(ByteBuffer content) throws Exception {
        byte[] bytes = new byte[content.flip().remaining()];
        content.get(bytes);
        assertThat(in.arrive(frame(sequence++, bytes))).isTrue();
        readAll();
        return content.clear();
    }

    private static List<byte[]> messages(Random random) {
        List<byte[]> messages = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            byte[] message = new byte[1 + random.nextInt(random.nextBoolean() ? 10 : 12_000)];
            random.nextBytes(message);
            messages.add(message);
        }
        return messages;
    }

    @Test
    void shouldRefuseALengthThatIsNoneBeforeItAllocatesAnything() {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, MOST + 1, Integer.MAX_VALUE}) {
            UcxReceiver fresh = new UcxReceiver(new FrameBuffers(), MOST);
            ByteBuffer frame = frame(0, ByteBuffer.allocate(8).putInt(length).array());
            assertThatThrownBy(() -> fresh.read(frame, () -> true, message -> {}))
                    .isInstanceOf(UcxProtocolException.class)
                    .hasMessageContaining(String.valueOf(length))
                    .hasMessageContaining(String.valueOf(MOST));
        }
    }

    @Test
    void shouldRefuseALengthThatIsCutByTheEndOfAFrame() {
        assertThatThrownBy(() -> in.read(frame(0, new byte[3]), () -> true, message -> {}))
                .isInstanceOf(UcxProtocolException.class);
    }

    @Test
    void shouldOweCreditLongBeforeThePeersWindowIsUsedUp() throws Exception {
        long sent = 0;
        int number = 0;
        while (!in.owesCredit()) {
            byte[] message = new byte[20_000];
            ByteBuffer.wrap(message).putInt(message.length - Integer.BYTES);
            in.arrive(frame(number++, message));
            readAll();
            sent += message.length;
        }
        assertThat(sent).isLessThan(UcxReceiver.WINDOW / 2);
        assertThat(in.grant()).isEqualTo(sent);
        assertThat(in.owesCredit()).isFalse();
    }

    private void readAll() throws UcxProtocolException {
        for (ByteBuffer frame = in.poll(); frame != null; frame = in.poll()) {
            in.read(frame, () -> true, message -> {
                byte[] bytes = new byte[message.remaining()];
                message.get(bytes);
                received.add(bytes);
            });
        }
    }

    private static ByteBuffer frame(long sequence, byte[] content) {
        ByteBuffer frame = ByteBuffer.allocate(UcxFrame.HEADER_BYTES + content.length);
        frame.position(UcxFrame.HEADER_BYTES).put(content);
        UcxFrame.seal(frame, UcxFrame.DATA, 1, sequence, 0);
        return frame;
    }
}
