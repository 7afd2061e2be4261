package io.updraft.pipeline.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of some megabytes in memory, to be filled up; where it cannot be mounted, a directory that is never full. */
final class TinyDisk implements AutoCloseable {

    private static final int BLOCK = 1 << 16;

    private final Path directory;
    private final boolean mounted;

    TinyDisk(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        this.mounted = run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", directory.toString());
    }

    boolean isMounted() {
        return mounted;
    }

    void fill() throws IOException {
        byte[] zeros = new byte[BLOCK];
        try (OutputStream filler = Files.newOutputStream(filler())) {
            while (true) {
                filler.write(zeros);
            }
        } catch (IOException e) {
            // No room is left, which is what this is for. What a block was too large for is filled too.
            fillTheRest();
        }
    }

    private void fillTheRest() throws IOException {
        try (OutputStream filler = Files.newOutputStream(directory.resolve("rest"))) {
            while (true) {
                filler.write(0);
            }
        } catch (IOException e) {
            return;
        }
    }

    void empty() throws IOException {
        Files.deleteIfExists(filler());
        Files.deleteIfExists(directory.resolve("rest"));
    }

    private Path filler() {
        return directory.resolve("filler");
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Override
    public void close() throws IOException {
        try {
            if (mounted) {
                run("umount", "-l", directory.toString());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
