package io.updraft.bench.aggregate.peer;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The resources that a child JVM has used, and the records that it has read, so far.
 *
 * @param millis the time of the sample, in milliseconds since 1970
 * @param cpuNanos user and system CPU time of all threads since the JVM's start, in nanoseconds
 * @param gcMillis garbage collection time in milliseconds
 * @param records the records consumed by all open Kafka consumers, by the consumers' own metrics
 * @param partitions the number of partitions that these consumers own and have fetched records of
 * @param heapBytes the used heap in bytes, including garbage
 */
public record PeerUsage(long millis, long cpuNanos, long gcMillis, long records, int partitions, long heapBytes) {

    private static final ObjectName CONSUMERS = name("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*");
    private static final ObjectName PARTITIONS =
            name("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*,topic=*,partition=*");
    private static final String LAG = "records-lag";
    private static final String RECORDS = "records-consumed-total";

    /** {@return the usage of this JVM} */
    public static PeerUsage now() {
        return new PeerUsage(
                System.currentTimeMillis(),
                ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum(),
                consumed(),
                partitionsRead(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    private static long consumed() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Set<ObjectName> consumers = beans.queryNames(CONSUMERS, null);
        double records = 0;
        for (ObjectName consumer : consumers) {
            try {
                double one = (Double) beans.getAttribute(consumer, RECORDS);
                records += Double.isNaN(one) ? 0 : one;
            } catch (JMException e) {
                // the consumer was closed meanwhile
            }
        }
        return (long) records;
    }

    /**
     * Counts partitions with a lag metric. A consumer that only participates in a group also owns partitions, but has no lag
     * metrics.
     */
    private static int partitionsRead() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        int read = 0;
        for (ObjectName partition : beans.queryNames(PARTITIONS, null)) {
            try {
                beans.getAttribute(partition, LAG);
                read++;
            } catch (JMException e) {
                // the partition has no lag metric, or was revoked meanwhile
            }
        }
        return read;
    }

    private static ObjectName name(String pattern) {
        try {
            return new ObjectName(pattern);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }
}
