package io.updraft.bench.aggregate;

import io.updraft.bench.spec.ProcessUsage;
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
 * @param usage the resources used since the JVM's start
 * @param records the records consumed by all open Kafka consumers, by the consumers' own metrics
 */
record PeerUsage(long millis, ProcessUsage usage, long records) {

    private static final ObjectName CONSUMERS = name("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*");
    private static final String RECORDS = "records-consumed-total";

    public static PeerUsage now() {
        return new PeerUsage(System.currentTimeMillis(), ProcessUsage.ofThisProcess(), consumed());
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

    private static ObjectName name(String pattern) {
        try {
            return new ObjectName(pattern);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }
}
