package io.updraft.storm.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Directories that exist from their first use until {@link #close()}. Safe to use from any thread. */
public final class TemporaryDirectories implements AutoCloseable {
    private Path root;

    public synchronized Path directory(String name) {
        try {
            if (root == null) {
                root = Files.createTempDirectory("updraft-").toRealPath();
            }
            return Files.createDirectories(root.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the directory '" + name + "' for this topology", e);
        }
    }

    @Override
    public synchronized void close() {
        if (root != null) {
            try {
                FileTree.delete(root);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove the temporary directory " + root, e);
            }
            root = null;
        }
    }
}
