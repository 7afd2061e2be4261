package io.updraft.storm.multilang;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The subprocesses of one task, by the files that each leaves under its number as the multilang protocol asks. Storm itself
 * only asks a subprocess to end (SIGTERM); one that hangs does not hear that.
 */
final class Subprocesses {
    /** How long one that was asked to end may take. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final Supplier<Path> directory;

    /** Where a Supervisor looks for the processes of its worker. */
    private final Optional<Path> shared;

    Subprocesses(Supplier<Path> directory, Optional<Path> shared) {
        this.directory = directory;
        this.shared = shared;
    }

    /** Says which they are to the Supervisor, if there is one: it ends those that outlive the worker. */
    void announce() {
        if (shared.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.get(), "[0-9]*")) {
            for (Path file : files) {
                Path announced = shared.get().resolve(file.getFileName());
                if (!Files.exists(announced)) {
                    Files.createFile(announced);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tell the Supervisor which subprocesses there are", e);
        }
    }

    /** Asks all of them to end, and ends those that are still there after a second. Returns at once. From any thread. */
    void end() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.get(), "[0-9]*")) {
            for (Path file : files) {
                end(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot see which subprocesses there are", e);
        }
    }

    private void end(Path file) throws IOException {
        long pid;
        try {
            pid = Long.parseLong(file.getFileName().toString());
        } catch (NumberFormatException e) {
            return;
        }
        Files.deleteIfExists(file);
        if (shared.isPresent()) {
            Files.deleteIfExists(shared.get().resolve(file.getFileName()));
        }
        ProcessHandle.of(pid).filter(Subprocesses::isOurs).ifPresent(process -> {
            process.destroy();
            process.onExit().orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).exceptionally(late -> {
                process.destroyForcibly();
                return process;
            });
        });
    }

    /** The number may be another's by now: a launcher in between makes it a grandchild. */
    private static boolean isOurs(ProcessHandle process) {
        long self = ProcessHandle.current().pid();
        return process.parent()
                .map(parent -> parent.pid() == self
                        || parent.parent().map(ProcessHandle::pid).orElse(-1L) == self)
                .orElse(false);
    }
}
