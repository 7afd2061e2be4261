package io.updraft.transport.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening, closing, failing. */
abstract class LifeClauses extends ContractFixture {

    private static final int LEAST_MAX_MESSAGE = 1024;

    /** Many at once on a slow machine need their time. */
    private static final Map<String, Object> PATIENT = Map.of(TransportOptions.CONNECT_TIMEOUT, 20_000);

    @ParameterizedTest
    @EnumSource
    void shouldOpenAChannelAtBothEnds(Threads threads) throws Exception {
        Pair pair = pair(threads).open();
        for (ChannelRecorder end : List.of(pair.near, pair.far)) {
            assertThat(end.channel().maxMessage()).isGreaterThanOrEqualTo(LEAST_MAX_MESSAGE);
            assertThat(end.channel().peer()).isNotBlank();
            assertThat(end.channel().unsent()).isZero();
        }
    }

    @Test
    void shouldHaveANameAndADescription() throws Exception {
        try (Transport transport = create()) {
            assertThat(transport.name()).isEqualTo(provider().name()).isNotBlank();
            assertThat(transport.description()).isNotBlank();
        }
    }

    @Test
    void shouldNotOpenFromWithinConnect() throws Exception {
        Pair pair = pair(Threads.ONE);
        ChannelRecorder near = recorder();
        Binding binding = pair.bind(this::recorder);
        boolean atOnce = pair.clientOwner.call(() -> {
            pair.client.connect(binding.address(), near);
            return near.isOpened() || near.isClosed();
        });
        assertThat(atOnce).isFalse();
        pair.clientOwner.until("the channel is open", near::isOpened);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayThatNobodyIsThereWithinTheConnectTimeout(Threads threads) throws Exception {
        Pair pair = pair(threads, Map.of(TransportOptions.CONNECT_TIMEOUT, 1_000), Map.of());
        Address nobody = addressThatWasLeft(pair);
        // Less than the default of 5 s; a machine may stand still that long, but not each time.
        long took = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 6 && took >= SECONDS.toNanos(5); attempt++) {
            took = nanosUntilGivenUp(pair, nobody);
        }
        assertThat(took).isLessThan(SECONDS.toNanos(5));
    }

    private long nanosUntilGivenUp(Pair pair, Address nobody) throws Exception {
        ChannelRecorder near = recorder();
        long start = System.nanoTime();
        pair.connect(nobody, near);
        pair.clientOwner.until("the attempt is given up", near::isClosed);
        assertThat(near.isOpened()).isFalse();
        return System.nanoTime() - start;
    }

    /** As a process does that is stopped, or collects garbage, between its question and the answer. */
    @Test
    void shouldOpenThoughNobodyHasPolledForLongerThanTheConnectTimeout() throws Exception {
        ChannelRecorder near = recorder();
        ChannelRecorder far = recorder();
        try (Transport client = create(Map.of(TransportOptions.CONNECT_TIMEOUT, 3_000));
                Transport server = create(PATIENT)) {
            Binding binding = server.bind(anyPort(), () -> far);
            client.connect(binding.address(), near);
            pollFor(500, client);
            pollFor(3_500, server);
            while (!near.isOpened() && !near.isClosed()) {
                client.poll();
                server.poll();
            }
            assertThat(near.reason()).isNull();
        }
    }

    private static void pollFor(long millis, Transport transport) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < MILLISECONDS.toNanos(millis)) {
            transport.poll();
            LockSupport.parkNanos(MILLISECONDS.toNanos(1));
        }
    }

    @Test
    void shouldSayThatAHostIsUnknown() throws Exception {
        Pair pair = pair(Threads.ONE, Map.of(TransportOptions.CONNECT_TIMEOUT, 1_000), Map.of());
        ChannelRecorder near = recorder();
        pair.connect(new Address("no-such-host.invalid", 4711), near);
        pair.clientOwner.until("the attempt is given up", near::isClosed);
        assertThat(near.isOpened()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellBothEndsWhenTheOneThatConnectedCloses(Threads threads) throws Exception {
        Pair pair = pair(threads).open();
        assertThat(pair.clientOwner.call(() -> closesAtOnce(pair.near))).isFalse();
        pair.clientOwner.until("who closed hears of it", pair.near::isClosed);
        pair.serverOwner.until("the peer hears of it", pair.far::isClosed);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellBothEndsWhenTheOneThatAcceptedCloses(Threads threads) throws Exception {
        Pair pair = pair(threads).open();
        assertThat(pair.serverOwner.call(() -> closesAtOnce(pair.far))).isFalse();
        pair.serverOwner.until("who closed hears of it", pair.far::isClosed);
        pair.clientOwner.until("the peer hears of it", pair.near::isClosed);
    }

    /** Closing twice is as good as once; nothing is taken afterwards; the handler hears of it from within a later poll. */
    private static boolean closesAtOnce(ChannelRecorder end) {
        end.close();
        end.close();
        assertThat(end.channel().offer(ByteBuffer.allocate(1))).isFalse();
        end.channel().flush();
        return end.isClosed();
    }

    @Test
    void shouldTakeNothingOnAChannelThatThePeerHasClosed() throws Exception {
        Pair pair = pair(Threads.TWO).open();
        pair.serverOwner.run(pair.far::close);
        pair.clientOwner.until("the peer hears of it", pair.near::isClosed);
        pair.clientOwner.run(() -> {
            assertThat(pair.near.channel().offer(ByteBuffer.allocate(1))).isFalse();
            pair.near.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellThePeerWhenATransportIsClosed(Threads threads) throws Exception {
        Pair pair = pair(threads).open();
        pair.serverOwner.stop(pair.server);
        pair.serverOwner.run(() -> {
            pair.server.close();
            pair.server.close();
        });
        pair.clientOwner.until("the peer hears of it", pair.near::isClosed);
        assertThat(pair.far.isClosed()).isFalse();
    }

    @Test
    void shouldKeepChannelsOpenWhenTheirBindingIsClosed() throws Exception {
        Pair pair = pair(Threads.TWO, PATIENT, PATIENT);
        Transport impatient = create(Map.of(TransportOptions.CONNECT_TIMEOUT, 1_000));
        TransportOwner lateOwner = owner(impatient);
        ChannelRecorder far = recorder();
        Binding binding = pair.bind(() -> far);
        ChannelRecorder near = recorder();
        ChannelRecorder late = recorder();
        pair.connect(binding, near);
        pair.serverOwner.until("the channel is open", far::isOpened);
        pair.serverOwner.run(() -> {
            binding.close();
            binding.close();
        });
        lateOwner.run(() -> impatient.connect(binding.address(), late));
        lateOwner.until("nobody accepts any more", late::isClosed);
        pair.serverOwner.run(() -> {
            assertThat(far.channel().offer(ByteBuffer.allocate(3))).isTrue();
            far.channel().flush();
        });
        pair.clientOwner.until(
                "the channel still carries", () -> near.messages().size() == 1);
        assertThat(late.isOpened()).isFalse();
    }

    @Test
    void shouldRefuseAPortInUseWithOneClearLine() throws Exception {
        require(ContractClause.PORTS_ARE_EXCLUSIVE);
        Pair pair = pair(Threads.TWO);
        Binding binding = pair.bind(this::recorder);
        TransportException refusal = catchThrowableOfType(
                TransportException.class,
                () -> pair.clientOwner.call(() -> pair.client.bind(binding.address(), this::recorder)));
        assertThat(refusal)
                .hasMessageContaining(String.valueOf(binding.address().port()));
        assertThat(refusal.getMessage().lines()).hasSize(1);
        pair.serverOwner.run(binding::close);
        Binding again = rebind(pair, binding.address());
        assertThat(again.address()).isEqualTo(binding.address());
    }

    /** A port may stay taken for a moment after it was given back. */
    private Binding rebind(Pair pair, Address address) throws Exception {
        List<Binding> bound = new ArrayList<>();
        pair.clientOwner.until("the port can be had again", () -> {
            try {
                bound.add(pair.client.bind(address, this::recorder));
            } catch (TransportException notYet) {
                return false;
            }
            return true;
        });
        return bound.get(0);
    }

    @Test
    void shouldRefuseToListenOnAHostThatIsNotThisOne() throws Exception {
        require(ContractClause.PORTS_ARE_EXCLUSIVE);
        Transport transport = create();
        TransportOwner owner = owner(transport);
        // TEST-NET-1 of RFC 5737: nobody has this address.
        TransportException refusal = catchThrowableOfType(
                TransportException.class,
                () -> owner.call(() -> transport.bind(new Address("192.0.2.1", 0), this::recorder)));
        assertThat(refusal).hasMessageContaining("192.0.2.1");
        assertThat(refusal.getMessage().lines()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryManyChannelsAtOnce(Threads threads) throws Exception {
        Pair pair = pair(threads, PATIENT, PATIENT);
        int many = manyChannels();
        List<MessageFlow> near = flows(many);
        List<MessageFlow> far = flows(many);
        int[] accepted = {0};
        Binding binding = pair.bind(() -> far.get(accepted[0]++));
        for (MessageFlow flow : near) {
            pair.connect(binding, flow);
        }
        pair.clientOwner.until("all messages have come back", () -> arrivedOrClosed(near));
        pair.serverOwner.until("all messages are there", () -> arrivedOrClosed(far));
        assertThat(near).extracting(ChannelRecorder::reason).containsOnlyNulls();
        assertThat(far).extracting(ChannelRecorder::reason).containsOnlyNulls();
    }

    private static boolean arrivedOrClosed(List<MessageFlow> flows) {
        return flows.stream().allMatch(flow -> flow.received() == 20)
                || flows.stream().anyMatch(ChannelRecorder::isClosed);
    }

    private List<MessageFlow> flows(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> watched(new MessageFlow(1, 20, (n, most) -> 1 + n * 37)))
                .toList();
    }

    final Address addressThatWasLeft(Pair pair) throws Exception {
        Binding binding = pair.bind(this::recorder);
        pair.serverOwner.run(binding::close);
        return binding.address();
    }

    @Test
    void shouldEndAWaitWhenWokenByAnotherThread() throws Exception {
        try (Transport transport = create()) {
            poll(transport);
            long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                Thread waker = new Thread(transport::wakeUp);
                waker.start();
                transport.await(SECONDS.toNanos(120));
                waker.join();
                poll(transport);
            }
            assertThat(System.nanoTime() - start).isLessThan(SECONDS.toNanos(100));
        }
    }

    @Test
    void shouldEndAWaitWhenAMessageComes() throws Exception {
        Pair pair = pair(Threads.TWO).open();
        long took = pair.clientOwner.call(() -> {
            long start = System.nanoTime();
            pair.serverOwner.run(() -> {
                assertThat(pair.far.channel().offer(ByteBuffer.allocate(9))).isTrue();
                pair.far.channel().flush();
            });
            while (pair.near.messages().isEmpty() && System.nanoTime() - start < SECONDS.toNanos(45)) {
                TransportOwner.await(pair.client, SECONDS.toNanos(45));
                pair.client.poll();
            }
            return System.nanoTime() - start;
        });
        assertThat(pair.near.messages()).hasSize(1);
        assertThat(took).isLessThan(SECONDS.toNanos(40));
    }

    @Test
    void shouldWaitWithoutUsingTheProcessor() throws Exception {
        require(ContractClause.WAITING_COSTS_LITTLE);
        Pair pair = pair(Threads.ONE).open();
        long rounds = pair.clientOwner.call(() -> roundsUntil(pair, System.nanoTime() + MILLISECONDS.toNanos(500)));
        // Ten waits of 50 ms; ten times as many is still far from busy.
        assertThat(rounds).isLessThan(100);
    }

    private static long roundsUntil(Pair pair, long end) {
        long rounds = 0;
        while (System.nanoTime() < end) {
            pair.server.poll();
            pair.client.poll();
            TransportOwner.await(pair.client, MILLISECONDS.toNanos(50));
            rounds++;
        }
        return rounds;
    }

    private static void poll(Transport transport) {
        while (transport.poll() > 0) {
            Thread.onSpinWait();
        }
    }
}
