package io.updraft.storm.component;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The subprocesses of one task, by the files that each names by its process id, as the multilang protocol requires. Storm
 * itself only asks a subprocess to end (SIGTERM), which one that hangs may ignore.
 *
 * @param shared the directory in which a Supervisor looks for process ids of its worker
 */
record TaskSubprocesses(Supplier<Path> directory, Optional<Path> shared) {
    private static final long KILL_DELAY_MILLIS = 1_000;

    /** Reports the subprocesses to the Supervisor, if there is one, which kills those that outlive the worker. */
    void reportToSupervisor() {
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
            throw new UncheckedIOException("cannot report the subprocesses to the Supervisor", e);
        }
    }

    /**
     * Asks all subprocesses to end, and kills those that are still alive after one second. Returns at once. Safe to use from
     * any thread.
     */
    void end() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.get(), "[0-9]*")) {
            for (Path file : files) {
                end(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the subprocesses", e);
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
        ProcessHandle.of(pid).filter(TaskSubprocesses::isOurs).ifPresent(process -> {
            process.destroy();
            process.onExit().orTimeout(KILL_DELAY_MILLIS, TimeUnit.MILLISECONDS).exceptionally(late -> {
                process.destroyForcibly();
                return process;
            });
        });
    }

    /**
     * Returns whether a process is a child or grandchild of this process. The process id may belong to another process by now;
     * with a launcher in between, the subprocess is a grandchild.
     */
    private static boolean isOurs(ProcessHandle process) {
        long self = ProcessHandle.current().pid();
        return process.parent()
                .map(parent -> parent.pid() == self
                        || parent.parent().map(ProcessHandle::pid).orElse(-1L) == self)
                .orElse(false);
    }
}
