package io.updraft.base.thread;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel knows of a thread: whether it is blocked or wants a core. Java does not tell the two apart in native code, and
 * shows a thread that has been woken and has no core yet as waiting. Linux only; elsewhere nothing is known.
 */
public final class KernelThread {
    /** A thread of which nothing is known. */
    public static final KernelThread UNKNOWN = new KernelThread(null);

    private static final Path OWN = Path.of("/proc/thread-self");
    private static final char RUNNABLE = 'R';

    private final Path stat;

    private KernelThread(Path stat) {
        this.stat = stat;
    }

    /** {@return the calling thread; {@link #UNKNOWN} if the system does not tell} */
    public static KernelThread current() {
        try {
            return new KernelThread(
                    Path.of("/proc").resolve(Files.readSymbolicLink(OWN)).resolve("stat"));
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return UNKNOWN;
        }
    }

    /** {@return whether the thread has a core or waits for one; false if nothing is known; may be called from any thread} */
    public boolean isRunnable() {
        if (stat == null) {
            return false;
        }
        try {
            return stateOf(Files.readString(stat, StandardCharsets.ISO_8859_1)) == RUNNABLE;
        } catch (IOException | SecurityException e) {
            return false;
        }
    }

    /** Returns the state in a line of {@code stat}: after the name in brackets, which may contain brackets and spaces. */
    private static char stateOf(String line) {
        int state = line.lastIndexOf(')') + 2;
        return state < line.length() ? line.charAt(state) : 0;
    }
}
