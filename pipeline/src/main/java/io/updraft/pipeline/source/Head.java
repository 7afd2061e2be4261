package io.updraft.pipeline.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The first bytes of a file or of standard input, unpacked: for its header, and to guess what its fields are. */
public final class Head {

    private static final int BYTES = 64 * 1024;

    private Head() {}

    /**
     * The first 64 KB of a file, or all if it is shorter.
     *
     * @throws SourceException when it cannot be read
     */
    public static byte[] of(Path file) throws SourceException {
        try (InputStream in = Files.newInputStream(file)) {
            return Compression.detect(in).readNBytes(BYTES);
        } catch (EOFException e) {
            throw new SourceException(file + ": the packed data breaks off where it begins", e);
        } catch (IOException e) {
            throw new SourceException(file + ": " + FileFinder.reason(e), e);
        }
    }

    /**
     * What standard input gives first; waits for it. It is not lost for the source.
     *
     * @throws SourceException when it cannot be read
     */
    public static byte[] ofStdin() throws SourceException {
        try {
            return StandardInput.head(BYTES).clone();
        } catch (IOException e) {
            throw new SourceException("standard input: " + FileFinder.reason(e), e);
        }
    }
}
