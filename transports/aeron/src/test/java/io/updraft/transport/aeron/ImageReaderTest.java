package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.updraft.transport.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ImageReaderTest {

    private static final int STREAM = 1;
    private static final int BYTES = 1_000;

    private final List<Integer> received = new ArrayList<>();

    /** Otherwise whoever waits for input sleeps although there is some: at the end of each term lies padding. */
    @Test
    void shouldSeeEachMessageBeforeItIsPolledAlsoBehindTheEndOfATerm() throws Exception {
        AeronSettings settings = AeronSettings.of(TransportOptions.of(Map.of(TransportOptions.BUFFER_SIZE, 64 * 1024)));
        try (AeronDriver driver = AeronDriver.start(settings)) {
            Aeron client = driver.client();
            Subscription subscription = subscribe(client);
            ExclusivePublication publication = publish(client);
            ImageReader inbound = new ImageReader(image(client, subscription), BYTES, new Collecting());
            int many = 3 * settings.termBytes() / BYTES;
            for (int i = 0; i < many; i++) {
                assertThat(inbound.hasInput()).isFalse();
                send(client, publication);
                assertThat(inbound.hasInput()).as("message %d", i).isTrue();
                while (received.size() <= i) {
                    inbound.poll(1);
                }
            }
            assertThat(received).hasSize(many).containsOnly(BYTES);
        }
    }

    private static Subscription subscribe(Aeron client) {
        long id = client.asyncAddSubscription("aeron:ipc", STREAM);
        while (client.getSubscription(id) == null) {
            client.conductorAgentInvoker().invoke();
        }
        return client.getSubscription(id);
    }

    private static ExclusivePublication publish(Aeron client) {
        long id = client.asyncAddExclusivePublication("aeron:ipc?term-length=64k", STREAM);
        while (client.getExclusivePublication(id) == null) {
            client.conductorAgentInvoker().invoke();
        }
        return client.getExclusivePublication(id);
    }

    private static Image image(Aeron client, Subscription subscription) {
        while (subscription.imageCount() == 0) {
            client.conductorAgentInvoker().invoke();
        }
        return subscription.imageAtIndex(0);
    }

    private static void send(Aeron client, ExclusivePublication publication) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[AeronProtocol.HEADER + BYTES]);
        AeronProtocol.header(message, AeronProtocol.DATA, BYTES);
        while (publication.offer(message) < 0) {
            client.conductorAgentInvoker().invoke();
        }
    }

    private final class Collecting implements ImageReader.Receiver {
        @Override
        public void received(ImageReader from, byte kind, DirectBuffer buffer, int offset, int length) {
            received.add(length);
        }

        @Override
        public void broken(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void lost() {
            throw new AssertionError("lost");
        }
    }
}
