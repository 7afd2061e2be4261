package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** Files with certificates and keys, which may change while this runs. */
interface TlsSource {

    /**
     * What a look at the files, without reading them, says of their contents.
     *
     * @param parts for each file its time of change, size and identity, or why it cannot be looked at
     */
    record Stamp(List<String> parts) {}

    /** All files. */
    Stream<Path> files();

    /**
     * Reads the files.
     *
     * @throws TransportException when they are of no use; the message names the key of the configuration and the file
     */
    TlsMaterial load() throws TransportException;

    /** Looks at the files. */
    default Stamp stamp() {
        return new Stamp(files().map(TlsSource::look).toList());
    }

    private static String look(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
            return seen.lastModifiedTime() + " " + seen.size() + " " + seen.fileKey();
        } catch (IOException gone) {
            return gone.toString();
        }
    }
}
