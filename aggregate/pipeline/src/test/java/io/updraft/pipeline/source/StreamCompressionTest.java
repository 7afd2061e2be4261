package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCompressionTest {

    private static final byte[] ONE = random(100_000);
    private static final byte[] TWO = "two\n".getBytes(UTF_8);

    private final AtomicInteger trailing = new AtomicInteger();

    /** A pipe has no bytes available while its writer works, and returns a few at a time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, 1 << 20})
    void shouldReadAllMembersFromAPipe(int step) throws IOException {
        byte[] packed = join(gzip(ONE), gzip(TWO), gzip(new byte[0]), gzip(TWO));
        assertThat(unpack(packed, step)).isEqualTo(join(ONE, TWO, TWO));
        assertThat(trailing).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1 << 20})
    void shouldReadAllFramesAndSkipThoseThatHoldNoData(int step) throws IOException {
        byte[] skipped = ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x184D2A53)
                .putInt(4)
                .array();
        byte[] packed = join(skipped, Zstd.compress(ONE), skipped, Zstd.compress(TWO), skipped);
        assertThat(unpack(packed, step)).isEqualTo(join(ONE, TWO));
    }

    @Test
    void shouldSkipPaddingAndReportOtherBytesAfterTheLastMember() throws IOException {
        assertThat(unpack(join(gzip(TWO), new byte[10_240]), 512)).isEqualTo(TWO);
        assertThat(unpack(join(gzip(TWO), new byte[512], gzip(TWO)), 512)).isEqualTo(join(TWO, TWO));
        assertThat(trailing).hasValue(0);
        assertThat(unpack(join(gzip(TWO), "garbage".getBytes(UTF_8)), 512)).isEqualTo(TWO);
        assertThat(trailing).hasValue(1);
    }

    @Test
    void shouldFailWhereverTheLastMemberIsTruncated() throws IOException {
        byte[] first = gzip(TWO);
        byte[] packed = join(first, gzip(TWO));
        for (int length = first.length + 1; length < packed.length; length++) {
            byte[] cut = Arrays.copyOf(packed, length);
            assertThatExceptionOfType(EOFException.class).as("length " + length).isThrownBy(() -> unpack(cut, 512));
        }
    }

    @Test
    void shouldReadHeadersWithAllFieldsAndNoticeDamage() throws IOException {
        byte[] plain = gzip(TWO);
        byte[] fields = {0x1F, (byte) 0x8B, 8, 0x1E, 0, 0, 0, 0, 0, 0, 2, 0, 'x', 'y', 'n', 0, 'c', 0, 1, 2};
        byte[] packed = join(fields, Arrays.copyOfRange(plain, 10, plain.length));
        assertThat(unpack(packed, 512)).isEqualTo(TWO);
        packed[packed.length - 6] ^= 1;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> unpack(packed, 512))
                .withMessage("the gzip data is damaged: its check sum differs");
    }

    private byte[] unpack(byte[] packed, int step) throws IOException {
        InputStream pipe = new ByteArrayInputStream(packed) {
            @Override
            public synchronized int read(byte[] bytes, int from, int most) {
                return super.read(bytes, from, Math.min(most, step));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
        try (InputStream unpacked = StreamCompression.detect(pipe, trailing::incrementAndGet)) {
            return unpacked.readAllBytes();
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
