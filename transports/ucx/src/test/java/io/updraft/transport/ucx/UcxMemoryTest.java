package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registered memory stays in proportion to the bytes that are held. */
final class UcxMemoryTest {

    private static final int BUFFER = 256 * 1024;

    @BeforeEach
    void skipWithoutLibucx() {
        Optional<String> reason = Libucx.whyNotHere();
        Assumptions.assumeTrue(reason.isEmpty(), reason::get);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void shouldHoldLittleMemoryForManySmallMessagesFlushedOneByOneToAPeerThatStandsStill(String tls) throws Exception {
        UcxTransport sender = create(tls);
        UcxTransport receiver = create(tls);
        ChannelRecorder near = new ChannelRecorder();
        ChannelRecorder far = new ChannelRecorder();
        try (TransportOwner owner = new TransportOwner(sender, receiver)) {
            Binding binding = owner.call(() -> receiver.bind(new Address("127.0.0.1", 0), () -> far));
            owner.run(() -> sender.connect(binding.address(), near));
            owner.until("both ends are open", () -> near.isOpened() && far.isOpened());
            owner.stop(receiver);
            owner.until("the sender is refused", () -> isRefused(near));
            // 19,000 messages; a segment for each would be 600 MiB.
            assertThat(owner.call(() -> sender.ucx.segments.bytes())).isLessThanOrEqualTo(8L << 20);
            owner.resume(receiver);
            owner.until("all arrives in the end", () -> near.channel().unsent() == 0);
        }
    }

    private static boolean isRefused(ChannelRecorder near) {
        for (int i = 0; i < 1_000; i++) {
            if (!near.channel().offer(ByteBuffer.allocate(10))) {
                return true;
            }
            near.channel().flush();
        }
        return false;
    }

    private static UcxTransport create(String tls) throws Exception {
        Map<String, Object> conf = Map.of(
                UcxSettings.TLS, tls, TransportOptions.BUFFER_SIZE, BUFFER, TransportOptions.CONNECT_TIMEOUT, 20_000);
        return (UcxTransport) new UcxTransportProvider().create(TransportOptions.of(conf));
    }
}
