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
 * The file by which a driver and its clients talk ("command and control"), as somebody beside the clients sees it.
 *
 * @param file all of it, mapped
 * @param head its description of itself
 */
record Cnc(MappedByteBuffer file, DirectBuffer head) {

    /**
     * Maps the file.
     *
     * @throws RuntimeException when no driver has begun to run there
     */
    static Cnc of(String folder) {
        MappedByteBuffer file = IoUtil.mapExistingFile(fileIn(folder), CncFileDescriptor.CNC_FILE);
        return new Cnc(file, CncFileDescriptor.createMetaDataBuffer(file));
    }

    /** {@return where a driver has its file, if it runs} */
    static File fileIn(String folder) {
        return new File(folder, CncFileDescriptor.CNC_FILE);
    }

    /** {@return after how long without a sign of life the driver gives a client up} */
    long clientLivenessMillis() {
        return TimeUnit.NANOSECONDS.toMillis(CncFileDescriptor.clientLivenessTimeoutNs(head));
    }

    CountersReader counters() {
        return new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(file, head),
                CncFileDescriptor.createCountersValuesBuffer(file, head),
                StandardCharsets.US_ASCII);
    }

    /** {@return what says things to the driver in the name of a client} */
    DriverProxy inTheNameOf(long client) {
        RingBuffer commands = new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(file, head));
        return new DriverProxy(commands, client);
    }
}
