package io.updraft.stormcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The mark that identifies the processes of one cluster: an environment variable, which every child inherits, even if the
 * Supervisor that started it is dead by now.
 *
 * @param home the cluster's directory, unique to the cluster
 */
record Mark(Path home) {

    static final String VARIABLE = "UPDRAFT_STORM_CLUSTER";

    private static final Path PROC = Path.of("/proc");

    /** Throws if this system cannot list processes with their environment. */
    static void checkSupported() {
        if (!Files.isReadable(PROC.resolve("self/environ"))) {
            throw new IllegalStateException(
                    "a Storm cluster on this host needs Linux: it finds its processes in /proc, which does not exist");
        }
    }

    /** Returns the live processes with the mark. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses().filter(this::isOn).toList();
    }

    /** Kills all processes with the mark, including those that start meanwhile. Returns when none is left. */
    void killAll() {
        List<ProcessHandle> left = processes();
        while (!left.isEmpty()) {
            left.forEach(ProcessHandle::destroyForcibly);
            left.forEach(process -> process.onExit().join());
            left = processes();
        }
    }

    private boolean isOn(ProcessHandle process) {
        String mark = VARIABLE + "=" + home;
        return read(process.pid(), "environ").contains(mark);
    }

    /** Returns the command line of a process, one string for each argument; empty if the process has ended. */
    static List<String> commandLine(long pid) {
        return read(pid, "cmdline");
    }

    private static List<String> read(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file));
            return Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\0"));
        } catch (IOException gone) {
            // The process has ended meanwhile, or belongs to another user: in both cases it has no mark of ours.
            return List.of();
        }
    }
}
