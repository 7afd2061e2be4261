package io.updraft.transport.netty.tls;

import io.updraft.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** Files with certificates and keys, which may change while the transport runs. */
interface TlsSource {

    /**
     * The state of the files, without their contents; a different stamp means that they may have changed.
     *
     * @param parts for each file its time of change, size and identity, or the reason why these cannot be read
     */
    record Stamp(List<String> parts) {}

    /** Returns all files. */
    Stream<Path> files();

    /**
     * Reads the files.
     *
     * @throws TransportException when they cannot be used; the message names the key of the configuration and the file
     */
    TlsMaterial load() throws TransportException;

    /** Returns the current stamp of the files. */
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
