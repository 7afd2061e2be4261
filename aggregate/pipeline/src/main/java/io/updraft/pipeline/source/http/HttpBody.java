package io.updraft.pipeline.source.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.updraft.pipeline.text.GzipMembers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * The body of a request while it arrives. Its memory counts towards the inbox from the first byte on, so that all bodies
 * together are bounded, with any number of connections. Belongs to the event loop; must be closed.
 */
final class HttpBody implements AutoCloseable {

    enum Added {
        TAKEN,
        /** The body is longer than the limit. */
        TOO_LARGE,
        /** The inbox has no capacity until other requests release theirs. */
        FULL
    }

    private static final int FIRST = 4096;
    private static final Set<String> PACKINGS = Set.of("identity", "gzip", "x-gzip", "deflate");

    private final HttpInbox inbox;
    private final int maxBytes;
    private final String packing;
    private byte[] bytes = {};
    private int length;

    /** Creates an empty body of at most {@code maxBytes} bytes, both packed and unpacked. */
    HttpBody(HttpInbox inbox, int maxBytes, HttpRequest head) {
        this.inbox = inbox;
        this.maxBytes = maxBytes;
        packing = packing(head);
    }

    private static String packing(HttpRequest head) {
        return head.headers()
                .get(HttpHeaderNames.CONTENT_ENCODING, "identity")
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    static boolean isReadable(HttpRequest head) {
        return PACKINGS.contains(packing(head));
    }

    Added add(ByteBuf piece) {
        int more = piece.readableBytes();
        if (more > maxBytes - length) {
            return Added.TOO_LARGE;
        }
        if (length + more > bytes.length && !grow(length + more)) {
            return Added.FULL;
        }
        piece.readBytes(bytes, length, more);
        length += more;
        return Added.TAKEN;
    }

    private boolean grow(int least) {
        int size = (int) Math.min(maxBytes, Math.max(least, Math.max(FIRST, 2L * bytes.length)));
        if (!inbox.reserve(size - bytes.length, bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    /**
     * Returns the whole body, unpacked; null if it is longer than the limit. Throws an {@link IOException} when the body is not
     * packed as its head says.
     */
    byte[] unpacked() throws IOException {
        if (packing.equals("identity")) {
            return Arrays.copyOf(bytes, length);
        }
        InputStream packed = new ByteArrayInputStream(bytes, 0, length);
        if (!packing.equals("deflate")) {
            try (InputStream unpacked = new GzipMembers(packed, HttpBody::refuse)) {
                return read(unpacked);
            }
        }
        Inflater inflater = new Inflater(!hasZlibHeader());
        try (InputStream unpacked = new InflaterInputStream(packed, inflater)) {
            return read(unpacked);
        } finally {
            inflater.end();
        }
    }

    private static void refuse() throws IOException {
        throw new IOException("the bytes after the gzip data are not gzip data");
    }

    // Clients send either zlib data or raw data as "deflate".
    private boolean hasZlibHeader() {
        return length > 1 && (bytes[0] & 0xf) == 8 && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) % 31 == 0;
    }

    private byte[] read(InputStream unpacked) throws IOException {
        byte[] content = unpacked.readNBytes(maxBytes + 1);
        return content.length > maxBytes ? null : content;
    }

    @Override
    public void close() {
        inbox.release(bytes.length);
        bytes = new byte[0];
        length = 0;
    }
}
