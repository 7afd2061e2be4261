package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.updraft.transport.Address;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/** The messages to a peer: one publication. Owner only. */
final class PublicationWriter {

    private static final int SESSION_IN_KEY = 8;
    private static final int STREAM_IN_KEY = 12;
    private static final int NO_COUNTER = -1;

    private final Aeron client;
    private final boolean shared;
    private final long registration;

    /** The header and the head of a message, joined because Aeron takes two buffers, not three. Grows to the longest head. */
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[64]);

    private final UnsafeBuffer rest = new UnsafeBuffer(0, 0);
    private ExclusivePublication publication;
    private int sentCounter = NO_COUNTER;
    private boolean closed;

    /** Requests a publication from the driver, without waiting for it. */
    PublicationWriter(AeronTransport transport, Address to, int stream) {
        client = transport.client;
        shared = transport.medium.shared();
        registration = client.asyncAddExclusivePublication(
                transport.medium.publicationUri(to), transport.medium.stream(stream));
    }

    /**
     * Returns whether the publication has a receiver.
     *
     * @throws RuntimeException when the driver refuses the publication
     */
    boolean isConnected() {
        if (publication == null && !closed) {
            publication = client.getExclusivePublication(registration);
        }
        return publication != null && publication.isConnected();
    }

    boolean hasCapacity() {
        return publication.availableWindow() > 0;
    }

    boolean offer(DirectBuffer message) {
        return publication.offer(message, 0, message.capacity()) > 0;
    }

    boolean offer(int length, ByteBuffer head, ByteBuffer body) {
        int headBytes = head.remaining();
        int start = AeronProtocol.HEADER + headBytes;
        if (header.capacity() < start) {
            header.wrap(new byte[start]);
        }
        AeronProtocol.header(header, AeronProtocol.DATA, length);
        header.putBytes(AeronProtocol.HEADER, head, head.position(), headBytes);
        rest.wrap(body, body.position(), body.remaining());
        long result = publication.offer(header, 0, start, rest, 0, body.remaining());
        if (result == Publication.ADMIN_ACTION) {
            // A new term was started: try once more.
            result = publication.offer(header, 0, start, rest, 0, body.remaining());
        }
        if (result <= 0) {
            return false;
        }
        head.position(head.limit());
        body.position(body.limit());
        return true;
    }

    /** {@return bytes, including framing, that the driver has not sent yet, or, in shared memory, that no peer has read yet} */
    long unsent() {
        if (closed || publication == null) {
            return 0;
        }
        CountersReader counters = client.countersReader();
        if (sentCounter == NO_COUNTER) {
            sentCounter = shared ? readersPosition(counters) : sendersPosition(counters);
        }
        return sentCounter == NO_COUNTER
                ? 0
                : Math.max(0, publication.position() - counters.getCounterValue(sentCounter));
    }

    private int sendersPosition(CountersReader counters) {
        return counters.findByTypeIdAndRegistrationId(
                AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, publication.registrationId());
    }

    private int readersPosition(CountersReader counters) {
        int[] found = {NO_COUNTER};
        counters.forEach((id, type, key, label) -> {
            if (type == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID
                    && key.getInt(SESSION_IN_KEY) == publication.sessionId()
                    && key.getInt(STREAM_IN_KEY) == publication.streamId()) {
                found[0] = id;
            }
        });
        return found[0];
    }

    void close() {
        if (!closed) {
            closed = true;
            if (publication != null) {
                publication.close();
            } else {
                client.asyncRemovePublication(registration);
            }
        }
    }
}
