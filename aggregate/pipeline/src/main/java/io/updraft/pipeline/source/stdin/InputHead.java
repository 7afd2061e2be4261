package io.updraft.pipeline.source.stdin;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.source.file.FileFinder;
import io.updraft.pipeline.source.file.StreamCompression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The first bytes of a file or of standard input, unpacked. They give the header and the types of the fields. */
public final class InputHead {

    private static final int BYTES = 64 * 1024;

    private InputHead() {}

    /**
     * Returns the first 64 KB of a file; fewer if the file is shorter or its packed data is truncated.
     *
     * @throws SourceException when the file cannot be read
     */
    public static byte[] of(Path file) throws SourceException {
        byte[] head = new byte[BYTES];
        int length = 0;
        try (InputStream in = Files.newInputStream(file)) {
            InputStream unpacked = StreamCompression.detect(in);
            for (int count = 0; count >= 0 && length < BYTES; count = unpacked.read(head, length, BYTES - length)) {
                length += count;
            }
        } catch (IOException e) {
            // The source reports truncated data, or waits for more.
            if (!StreamCompression.isBrokenOff(e)) {
                throw new SourceException(file + ": " + FileFinder.reason(e), e);
            }
        }
        return Arrays.copyOf(head, length);
    }

    /**
     * Returns the first bytes of standard input and waits for them. The source still reads them.
     *
     * @throws SourceException when standard input cannot be read
     */
    public static byte[] ofStdin() throws SourceException {
        try {
            return StandardInput.head(BYTES).clone();
        } catch (IOException e) {
            throw new SourceException("standard input: " + FileFinder.reason(e), e);
        }
    }
}
