package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.SourceException;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first bytes of a file or of standard input, unpacked. They give the header and the types of the fields. */
public final class InputHead {

    /** The length of a head whose input has more bytes. */
    public static final int BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(InputHead.class);

    /** Standard input and its head, which the source still reads; null before they are used. */
    private static InputStream stdin;

    private static byte[] stdinHead;

    private InputHead() {}

    /** Returns the first 64 KB of a file; fewer if the file is shorter or its packed data is truncated. */
    public static byte[] of(Path file) throws SourceException {
        byte[] head = new byte[BYTES];
        int length = 0;
        try (InputStream in = Files.newInputStream(file)) {
            InputStream unpacked = StreamCompression.detect(in, () -> {});
            for (int count = 0; count >= 0 && length < BYTES; count = unpacked.read(head, length, BYTES - length)) {
                length += count;
            }
        } catch (IOException e) {
            // The source reports truncated or damaged data, or waits for more.
            if (!StreamCompression.isBrokenOff(e) && !StreamCompression.isDamaged(e)) {
                throw new SourceException(file + ": " + FileFinder.reason(e), e);
            }
        }
        return LineEnds.ofHead(Arrays.copyOf(head, length));
    }

    /** Returns the first bytes of standard input and waits for them. The source still reads them. */
    public static byte[] ofStdin() throws SourceException {
        try {
            return LineEnds.ofHead(headOfStdin());
        } catch (IOException e) {
            throw new SourceException("standard input: " + FileFinder.reason(e), e);
        }
    }

    /** Waits until the head contains a whole line. */
    private static synchronized byte[] headOfStdin() throws IOException {
        if (stdinHead == null) {
            byte[] bytes = new byte[BYTES];
            int length = 0;
            while (length < BYTES && !LineEnds.hasLine(bytes, length)) {
                int count = unpackedStdin().read(bytes, length, BYTES - length);
                if (count < 0) {
                    break;
                }
                length += count;
            }
            stdinHead = Arrays.copyOf(bytes, length);
        }
        return stdinHead;
    }

    /** Returns the unpacked standard input from its start, head included. */
    static synchronized InputStream openStdin() throws IOException {
        InputStream rest = unpackedStdin();
        return stdinHead == null ? rest : new SequenceInputStream(new ByteArrayInputStream(stdinHead), rest);
    }

    private static InputStream unpackedStdin() throws IOException {
        if (stdin == null) {
            stdin = StreamCompression.detect(
                    new FileInputStream(FileDescriptor.in),
                    () -> LOG.warn("standard input: the bytes after the packed data are not packed; they are ignored"));
        }
        return stdin;
    }
}
