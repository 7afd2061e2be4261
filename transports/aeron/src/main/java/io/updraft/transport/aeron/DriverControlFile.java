package io.updraft.transport.aeron;

import io.aeron.CncFileDescriptor;
import io.aeron.DriverProxy;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The file through which a driver and its clients communicate ("command and control"), seen by a process that is not a client.
 */
record DriverControlFile(MappedByteBuffer file, DirectBuffer head) {

    /**
     * Maps the file.
     *
     * @throws RuntimeException when no driver has started there
     */
    static DriverControlFile of(String folder) {
        MappedByteBuffer file = IoUtil.mapExistingFile(fileIn(folder), CncFileDescriptor.CNC_FILE);
        return new DriverControlFile(file, CncFileDescriptor.createMetaDataBuffer(file));
    }

    /** {@return the file of a driver, which exists if the driver runs} */
    static File fileIn(String folder) {
        return new File(folder, CncFileDescriptor.CNC_FILE);
    }

    /** {@return the milliseconds without a keep-alive after which the driver closes a client} */
    long clientLivenessMillis() {
        return TimeUnit.NANOSECONDS.toMillis(CncFileDescriptor.clientLivenessTimeoutNs(head));
    }

    CountersReader counters() {
        return new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(file, head),
                CncFileDescriptor.createCountersValuesBuffer(file, head),
                StandardCharsets.US_ASCII);
    }

    /** {@return a proxy that sends commands to the driver on behalf of a client} */
    DriverProxy inTheNameOf(long client) {
        RingBuffer commands = new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(file, head));
        return new DriverProxy(commands, client);
    }
}
