package io.updraft.pipeline.source;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Limits how many followed files are open at once. When there are more, the least recently read ones are suspended. Not thread-safe.
 */
final class ChannelLimit {

    private static final int MIN = 64;
    private static final int MAX = 4096;
    /** A quarter of the descriptors: rotation may need a second one for each open file. */
    private static final int SHARE = 4;

    private final int most;
    /** The open files, the least recently read first. */
    private final Set<TrackedFile> open = new LinkedHashSet<>();

    ChannelLimit(int most) {
        this.most = most;
    }

    /** Returns a limit that follows from the number of descriptors of this process. */
    static ChannelLimit ofProcess() {
        boolean counted = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean;
        return new ChannelLimit(counted ? share() : MAX);
    }

    private static int share() {
        long descriptors = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                .getMaxFileDescriptorCount();
        return (int) Math.max(MIN, Math.min(MAX, descriptors / SHARE));
    }

    /** Returns whether one more file may be opened. Suspends another file for it if need be. */
    boolean makeRoom() {
        return open.size() < most || suspendOne();
    }

    /** Records that a file was opened or read. Suspends files beyond the limit. */
    void used(TrackedFile file) {
        open.remove(file);
        open.add(file);
        while (open.size() > most && suspendOne()) {
            // Repeats until the limit holds.
        }
    }

    void closed(TrackedFile file) {
        open.remove(file);
    }

    private boolean suspendOne() {
        for (Iterator<TrackedFile> files = open.iterator(); files.hasNext(); ) {
            if (isSuspended(files.next())) {
                files.remove();
                return true;
            }
        }
        return false;
    }

    private static boolean isSuspended(TrackedFile file) {
        try {
            return file.suspend();
        } catch (IOException e) {
            // The file cannot be read now: it stays open, and the next attempt to read it reports that.
            return false;
        }
    }
}
