package io.updraft.stormcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The mark by which the processes of one cluster are known: a variable of the environment, which every child inherits, be it
 * started by a Supervisor that is dead by now.
 *
 * @param home the cluster's directory, which no other cluster has
 */
record Mark(Path home) {

    static final String VARIABLE = "UPDRAFT_STORM_CLUSTER";

    private static final Path PROC = Path.of("/proc");

    /** Throws if this system cannot list processes with their environment. */
    static void checkSupported() {
        if (!Files.isReadable(PROC.resolve("self/environ"))) {
            throw new IllegalStateException(
                    "a Storm cluster on this host needs Linux: its processes are found in /proc, which is not there");
        }
    }

    /** Returns the live processes that carry the mark. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses().filter(this::isOn).toList();
    }

    /** Kills all of them, those that are being started meanwhile included. Returns when none is left. */
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

    /** Returns the command line of a process, one string an argument; empty if there is none any more. */
    static List<String> commandLine(long pid) {
        return read(pid, "cmdline");
    }

    private static List<String> read(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file));
            return Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\0"));
        } catch (IOException gone) {
            // It ended while we looked, or belongs to somebody else: not ours in either case.
            return List.of();
        }
    }
}
