package io.updraft.bench.aggregate.peer;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * What a child JVM has used and read so far.
 *
 * @param millis the time of this, since 1970
 * @param cpuNanos CPU time of all its threads, of user and system, since the JVM began
 * @param gcMillis time spent collecting garbage
 * @param records handed out by all its Kafka consumers that are open, as they themselves count
 * @param partitions that these consumers have got records of, and still have
 * @param heapBytes in use, with what is garbage
 */
public record Usage(long millis, long cpuNanos, long gcMillis, long records, int partitions, long heapBytes) {

    private static final ObjectName CONSUMERS = name("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*");
    private static final ObjectName PARTITIONS =
            name("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*,topic=*,partition=*");
    private static final String LAG = "records-lag";
    private static final String RECORDS = "records-consumed-total";

    /** {@return what this JVM has used} */
    public static Usage now() {
        return new Usage(
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

    /** {@return what a child told} */
    public static Usage fromJson(Map<String, Object> json) {
        return new Usage(
                (Long) json.get("millis"),
                (Long) json.get("cpuNanos"),
                (Long) json.get("gcMillis"),
                (Long) json.get("records"),
                ((Long) json.get("partitions")).intValue(),
                (Long) json.get("heapBytes"));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("millis", millis);
        json.put("cpuNanos", cpuNanos);
        json.put("gcMillis", gcMillis);
        json.put("records", records);
        json.put("partitions", partitions);
        json.put("heapBytes", heapBytes);
        return json;
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
                // it has just been closed
            }
        }
        return (long) records;
    }

    /** A consumer that only takes part in a group has partitions too, but no lag of any. */
    private static int partitionsRead() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        int read = 0;
        for (ObjectName partition : beans.queryNames(PARTITIONS, null)) {
            try {
                beans.getAttribute(partition, LAG);
                read++;
            } catch (JMException e) {
                // it has none, or was just taken away
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
