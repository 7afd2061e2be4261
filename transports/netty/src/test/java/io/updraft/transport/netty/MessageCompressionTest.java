package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.netty.ConnectedEnds.End;
import io.updraft.transport.netty.ConnectedEnds.Listener;
import io.updraft.transport.netty.MessageCompression.CorruptException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which messages are compressed, and that malicious compressed messages do no harm. */
@ExtendWith(NoLeaks.class)
final class MessageCompressionTest {

    private static final int LIMIT = 100_000;
    private static final ByteBuffer NO_HEAD = ByteBuffer.allocate(0);

    @AutoClose
    private final ConnectedEnds ends = new ConnectedEnds();

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldGiveBackWhatItPacked(MessageCompression by) throws Exception {
        BlockPacker packer = new BlockPacker(by, LIMIT);
        SplittableRandom random = new SplittableRandom(1);
        for (int length = MessageCompression.WORTHWHILE; length <= LIMIT; length = length * 3 / 2) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            java.util.Arrays.fill(message, 0, length / 2, (byte) 7);
            ByteBuffer packed = packer.pack(NO_HEAD, length % 2 == 0 ? ByteBuffer.wrap(message) : direct(message));
            assertThat(packed.remaining()).isLessThan(length);
            assertThat(packer.unpack(packed)).isEqualTo(ByteBuffer.wrap(message));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldLeaveAloneWhatGainsNothing(MessageCompression by) {
        BlockPacker packer = new BlockPacker(by, LIMIT);
        byte[] noise = new byte[10_000];
        new SplittableRandom(2).nextBytes(noise);
        assertThat(packer.pack(NO_HEAD, ByteBuffer.wrap(noise))).isNull();
        assertThat(packer.pack(NO_HEAD, ByteBuffer.allocate(MessageCompression.WORTHWHILE - 1)))
                .isNull();
    }

    @Test
    void shouldPackNothingUnlessAsked() {
        assertThat(new BlockPacker(MessageCompression.NONE, LIMIT).pack(NO_HEAD, ByteBuffer.allocate(10_000)))
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldRefuseABombThatSaysSo(MessageCompression by) {
        ByteBuffer bomb = new BlockPacker(by, 100 * LIMIT).pack(NO_HEAD, ByteBuffer.allocate(100 * LIMIT));
        assertThatThrownBy(() -> new BlockPacker(by, LIMIT).unpack(bomb))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining(String.valueOf(100 * LIMIT))
                .hasMessageContaining(String.valueOf(LIMIT));
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldRefuseABombThatLies(MessageCompression by) {
        ByteBuffer bomb = new BlockPacker(by, 100 * LIMIT).pack(NO_HEAD, ByteBuffer.allocate(100 * LIMIT));
        bomb.putInt(1, LIMIT);
        assertThatThrownBy(() -> new BlockPacker(by, LIMIT).unpack(bomb)).isInstanceOf(CorruptException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldRefuseAMessageThatIsShorterThanItSays(MessageCompression by) {
        ByteBuffer packed = new BlockPacker(by, LIMIT).pack(NO_HEAD, ByteBuffer.allocate(1_000));
        packed.putInt(1, 1_001);
        assertThatThrownBy(() -> new BlockPacker(by, LIMIT).unpack(packed)).isInstanceOf(CorruptException.class);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        ByteBuffer unknown = direct(new byte[] {9, 0, 0, 0, 5, 1, 2, 3, 4, 5});
        assertThatThrownBy(() -> new BlockPacker(MessageCompression.LZ4, LIMIT).unpack(unknown))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("9");
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldSurviveWhatWasChangedOnTheWay(MessageCompression by) {
        SplittableRandom random = new SplittableRandom(3);
        BlockPacker packer = new BlockPacker(by, LIMIT);
        ByteBuffer message = ByteBuffer.allocate(5_000);
        for (int i = 0; i < 5_000; i++) {
            message.put(i, (byte) (i % 100 * random.nextInt(1, 3)));
        }
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            ByteBuffer packed = packer.pack(NO_HEAD, message);
            int at = packed.position()
                    + MessageCompression.HEADER
                    + random.nextInt(packed.remaining() - MessageCompression.HEADER);
            packed.put(at, (byte) (packed.get(at) ^ 1 << random.nextInt(8)));
            refused += isRefused(packer, packed) ? 1 : 0;
        }
        assertThat(refused).isPositive();
    }

    private static boolean isRefused(BlockPacker packer, ByteBuffer packed) {
        try {
            assertThat(packer.unpack(packed).remaining()).isEqualTo(5_000);
            return false;
        } catch (CorruptException refused) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4", "ZSTD"})
    void shouldSendLessToAPeerThatSendsPlainly(MessageCompression by) throws Exception {
        Listener plain = ends.listener(Map.of());
        End packing = ends.end(Map.of(NettySettings.COMPRESS, by.name().toLowerCase(java.util.Locale.ROOT)));
        ChannelRecorder near = new ChannelRecorder();
        packing.connect(plain.address(), near);
        long unsent = packing.owner().call(() -> {
            assertThat(near.channel().offer(ByteBuffer.allocate(500_000))).isTrue();
            return near.channel().unsent();
        });
        assertThat(unsent).isBetween(1L, 5_000L);
        ChannelRecorder far = plain.first();
        plain.end().owner().until("the message is there", () -> far.messages().size() == 1);
        assertThat(far.messages().get(0)).hasSize(500_000).containsOnly(0);
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSendsABomb() throws Exception {
        Listener listener = ends.listener(Map.of(TransportOptions.MAX_MESSAGE, LIMIT));
        ByteBuffer bomb =
                new BlockPacker(MessageCompression.ZSTD, 100 * LIMIT).pack(NO_HEAD, ByteBuffer.allocate(100 * LIMIT));
        ByteBuffer frame = ByteBuffer.allocate(NettyFrames.HEADER + bomb.remaining())
                .putInt(bomb.remaining() | NettyFrames.COMPRESSED)
                .put(bomb);
        try (Socket peer = listener.dial()) {
            peer.getOutputStream().write(frame.array());
            assertThat(listener.reasonOfFirst()).contains("claims to have " + 100 * LIMIT + " bytes");
        }
        assertThat(listener.first().messages()).isEmpty();
    }

    @Test
    void shouldRefuseACompressionThatIsUnknown() {
        assertThatThrownBy(() -> ends.end(Map.of(NettySettings.COMPRESS, "snappy")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(NettySettings.COMPRESS)
                .hasMessageContaining("snappy")
                .hasMessageContaining("zstd");
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
