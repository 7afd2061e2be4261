package io.updraft.transport.aeron;

import io.aeron.Aeron;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Registers the process of a client with a shared driver, as a counter of the client. Aeron registers the client's name too,
 * but only half a second after the client has started.
 */
final class ProcessCounter {

    /** Aeron leaves numbers from 1,000 on to applications. */
    static final int TYPE = 0x5571;

    private ProcessCounter() {}

    static void register(Aeron client) {
        long process = ProcessHandle.current().pid();
        UnsafeBuffer key = new UnsafeBuffer(new byte[Long.BYTES]);
        key.putLong(0, process);
        UnsafeBuffer label = new UnsafeBuffer(("updraft: process " + process).getBytes(StandardCharsets.US_ASCII));
        client.addCounter(TYPE, key, 0, key.capacity(), label, 0, label.capacity());
    }

    static long process(DirectBuffer key) {
        return key.getLong(0);
    }

    static boolean isAlive(DirectBuffer key) {
        return ProcessHandle.of(process(key)).isPresent();
    }
}
