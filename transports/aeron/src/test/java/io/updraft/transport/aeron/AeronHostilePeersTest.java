package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages from programs that do not, or not quite, follow the protocol. */
final class AeronHostilePeersTest {

    private static final Address ANY_PORT = new Address("127.0.0.1", 0);
    private static final int STREAM = 1_001;
    private static final int LIMIT = 4_096;

    private MediaDriver driver;
    private Aeron stranger;
    private Transport transport;
    private TransportOwner owner;

    @BeforeEach
    void start() throws Exception {
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(DriverFolder.create().toString())
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED));
        stranger = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        transport = new AeronProvider()
                .create(TransportOptions.of(
                        Map.of(TransportOptions.MAX_MESSAGE, LIMIT, TransportOptions.CONNECT_TIMEOUT, 20_000)));
        owner = new TransportOwner(transport);
    }

    @AfterEach
    void stop() throws Exception {
        owner.close();
        stranger.close();
        driver.close();
        DriverFolder.removeWithParent(Path.of(driver.aeronDirectoryName()));
    }

    @Test
    void shouldSurviveGarbageDatagrams() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Binding binding = bind(far);
        Random random = new Random(7);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 500; i++) {
                byte[] garbage = new byte[random.nextInt(1_500)];
                random.nextBytes(garbage);
                socket.send(new DatagramPacket(
                        garbage,
                        garbage.length,
                        InetAddress.getByName("127.0.0.1"),
                        binding.address().port()));
            }
        }
        shouldStillAccept(binding, far);
    }

    @Test
    void shouldIgnorePublicationsOfAnotherProtocol() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Binding binding = bind(far);
        for (byte[] nonsense :
                new byte[][] {{1}, {1, 0, 0, 0, 0}, {1, 20, 0, 0, 0, 9}, {3, -1, -1, -1, 127}, {9, 1, 2}}) {
            send(publication(binding), new UnsafeBuffer(nonsense));
        }
        shouldStillAccept(binding, far);
    }

    @Test
    void shouldRefuseAMessageBeforeTakingMemoryForIt() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        ExclusivePublication publication = open(far);
        UnsafeBuffer header = new UnsafeBuffer(new byte[100]);
        AeronProtocol.header(header, AeronProtocol.DATA, Integer.MAX_VALUE);
        send(publication, header);
        owner.until("the channel is closed", far::isClosed);
        assertThat(far.reason()).contains(String.valueOf(Integer.MAX_VALUE)).contains(String.valueOf(LIMIT));
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSaysAnotherLengthThanItSends() throws Exception {
        for (int size : new int[] {50, 3_000, 3_200}) {
            ChannelRecorder far = new ChannelRecorder();
            ExclusivePublication publication = open(far);
            UnsafeBuffer message = new UnsafeBuffer(new byte[AeronProtocol.HEADER + size]);
            AeronProtocol.header(message, AeronProtocol.DATA, 3_100);
            send(publication, message);
            owner.until("the channel is closed", far::isClosed);
            assertThat(far.reason()).contains("than announced");
            assertThat(far.messages()).isEmpty();
        }
    }

    @Test
    void shouldSayThatNoDriverAnswersInAFolder() {
        Map<String, Object> conf = Map.of(AeronProvider.SHARED_DRIVER, "/no-such-folder/aeron");
        assertThatThrownBy(() -> new AeronProvider().create(TransportOptions.of(conf)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("/no-such-folder/aeron")
                .hasMessageContaining(AeronProvider.SHARED_DRIVER)
                .message()
                .hasLineCount(1);
    }

    private Binding bind(ChannelRecorder far) throws Exception {
        return owner.call(() -> transport.bind(ANY_PORT, () -> far));
    }

    /** Opens a channel as a peer of ours would. */
    private ExclusivePublication open(ChannelRecorder far) throws Exception {
        Binding binding = bind(far);
        Subscription answers = stranger.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM);
        while (answers.resolvedEndpoint() == null) {
            Thread.onSpinWait();
        }
        String endpoint = answers.resolvedEndpoint();
        int port = Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
        ExclusivePublication publication = publication(binding);
        send(publication, AeronProtocol.greeting(AeronProtocol.OPEN, 42, port));
        owner.until("the channel is open", far::isOpened);
        return publication;
    }

    private ExclusivePublication publication(Binding binding) {
        return stranger.addExclusivePublication("aeron:udp?endpoint=" + binding.address(), STREAM);
    }

    /** Until it is taken, or the test's own time is over. */
    private static void send(ExclusivePublication publication, UnsafeBuffer message) {
        while (publication.offer(message) < 0) {
            Thread.onSpinWait();
        }
    }

    private void shouldStillAccept(Binding binding, ChannelRecorder far) throws Exception {
        assertThat(owner.<Boolean>call(far::isOpened)).isFalse();
        ChannelRecorder near = new ChannelRecorder();
        owner.run(() -> transport.connect(binding.address(), near));
        owner.until("a channel opens", () -> near.isOpened() && far.isOpened());
    }
}
