package io.updraft.observe.process;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.List;

/**
 * The part of the heap for objects that have lived long, after its last collection. It counts no garbage, or little, and when it is
 * full the process runs out of memory. With a collector without generations it is the whole heap.
 *
 * @param usedBytes bytes in use after the last collection; 0 before the first one
 * @param maxBytes the room; 0 if unknown
 * @param collections how often it was collected
 */
public record OldObjects(long usedBytes, long maxBytes, long collections) {
    /** Only this pool of the heap has a threshold: new objects go to the others until these are full. */
    private static final MemoryPoolMXBean POOL = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(MemoryPoolMXBean::isUsageThresholdSupported)
            .findFirst()
            .orElse(null);

    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(collector -> POOL != null
                            && Arrays.asList(collector.getMemoryPoolNames()).contains(POOL.getName()))
                    .toList();

    /** {@return the values of this process} */
    public static OldObjects now() {
        MemoryUsage after = POOL == null ? null : POOL.getCollectionUsage();
        long collections = 0;
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            collections += Math.max(0, collector.getCollectionCount());
        }
        return after == null
                ? new OldObjects(0, 0, collections)
                : new OldObjects(after.getUsed(), Math.max(0, after.getMax()), collections);
    }

    /** {@return the share of the room that is in use, from 0 to 1; 0 if unknown} */
    public double share() {
        return maxBytes == 0 ? 0 : (double) usedBytes / maxBytes;
    }
}
