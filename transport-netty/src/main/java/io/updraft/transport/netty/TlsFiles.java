package io.updraft.transport.netty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where certificates are.
 *
 * @param cert the chain of certificates that this side shows, its own first
 * @param key the private key that belongs to it
 * @param trust certificates of those who sign the peers' certificates
 */
record TlsFiles(Path cert, Path key, Path trust) {

    /**
     * What a look at the files, without reading them, says of their contents.
     *
     * @param parts for each file its time of change, size and identity, or why it cannot be looked at
     */
    record Stamp(List<String> parts) {}

    Stamp stamp() {
        return new Stamp(Stream.of(cert, key, trust).map(TlsFiles::look).toList());
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
