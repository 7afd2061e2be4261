package io.updraft.transport.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.updraft.transport.Binding;
import io.updraft.transport.Channel;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages and back-pressure. */
abstract class MessageClauses extends LifeClauses {

    private static final long FAR_TOO_MUCH = 256L * 1024 * 1024;
    private static final int ROUNDS_OF_REFUSAL = 30;

    @ParameterizedTest
    @EnumSource
    void shouldCarryMessagesBothWaysAtOnceInOrderOnceAndWhole(Threads threads) throws Exception {
        Pair pair = pair(threads);
        MessageFlow near = watched(new MessageFlow(11, 300, MessageFlow.mixed(11)));
        MessageFlow far = watched(new MessageFlow(11, 300, MessageFlow.mixed(11)));
        pair.open(near, far);
        pair.clientOwner.until("all have come back", () -> near.received() == 300 || near.isClosed());
        pair.serverOwner.until("all are there", () -> far.received() == 300 || far.isClosed());
        assertThat(near.reason()).isNull();
        assertThat(far.reason()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryManySmallMessages(Threads threads) throws Exception {
        Pair pair = pair(threads);
        MessageFlow near = watched(new MessageFlow(13, 10_000, (i, most) -> 1 + i % 40));
        MessageFlow far = watched(new MessageFlow(13, 0, (i, most) -> 1 + i % 40));
        pair.open(near, far);
        pair.serverOwner.until("all are there", () -> far.received() == 10_000);
        assertThat(near.received()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryMessagesOfEveryLengthNearAPowerOfTwo(Threads threads) throws Exception {
        Pair pair = pair(threads);
        MessageFlow.Sizes sizes = (i, most) -> Math.max(1, Math.min(most, (1 << i / 3) - 1 + i % 3));
        int count = 3 * 22;
        MessageFlow near = watched(new MessageFlow(17, count, sizes));
        MessageFlow far = watched(new MessageFlow(17, count, sizes));
        pair.open(near, far);
        pair.serverOwner.until("all are there", () -> far.received() == count);
        pair.clientOwner.until("all have come back", () -> near.received() == count);
    }

    @Test
    void shouldBringTogetherWhatIsOfferedInTwoPlaces() throws Exception {
        Pair pair = pair(Threads.TWO).open();
        int most = pair.near.channel().maxMessage();
        int[][] lengths = {{0, 1}, {1, 0}, {1, 1}, {1, most / 2}, {5, most - 5}, {most / 2, 7}, {most, 0}, {0, most}};
        for (int[] pieces : lengths) {
            ByteBuffer head = ByteBuffer.wrap(bytes(pieces[0], 3));
            ByteBuffer body = ByteBuffer.allocateDirect(pieces[1])
                    .put(bytes(pieces[1], 9))
                    .flip();
            pair.clientOwner.until("it is taken", () -> {
                boolean taken = pair.near.channel().offer(head, body);
                pair.near.channel().flush();
                return taken;
            });
            assertThat(head.remaining() + body.remaining()).isZero();
            pair.serverOwner.until("it is there", () -> !pair.far.messages().isEmpty() || pair.far.isClosed());
            byte[] expected = ByteBuffer.allocate(pieces[0] + pieces[1])
                    .put(bytes(pieces[0], 3))
                    .put(bytes(pieces[1], 9))
                    .array();
            assertThat(pair.serverOwner.call(() -> pair.far.messages().remove(0)))
                    .isEqualTo(expected);
        }
    }

    private static byte[] bytes(int count, int seed) {
        byte[] bytes = new byte[count];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldThrowWhenAMessageIsEmptyOrTooLong() throws Exception {
        Pair pair = pair(Threads.ONE);
        ChannelRecorder near = recorder();
        pair.open(near, recorder());
        Channel channel = near.channel();
        ByteBuffer none = ByteBuffer.allocate(0);
        ByteBuffer most = ByteBuffer.allocate(channel.maxMessage());
        ByteBuffer tooLong = ByteBuffer.allocate(channel.maxMessage() + 1);
        pair.clientOwner.run(() -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> channel.offer(none))
                    .withMessageContaining(" 0 bytes");
            assertThatIllegalArgumentException().isThrownBy(() -> channel.offer(none, none));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> channel.offer(tooLong))
                    .withMessageContaining(tooLong.capacity() + " bytes")
                    .withMessageContaining("1 to " + most.capacity());
            assertThatIllegalArgumentException().isThrownBy(() -> channel.offer(ByteBuffer.allocate(1), most));
            assertThat(channel.offer(ByteBuffer.allocate(1))).isTrue();
        });
        assertThat(most.remaining()).isEqualTo(channel.maxMessage());
    }

    @Test
    void shouldCarryAnswersOfferedFromWithinCallbacks() throws Exception {
        Pair pair = pair(Threads.TWO);
        ChannelRecorder near = watched(new Answering(500));
        ChannelRecorder far = watched(new Answering(500));
        pair.open(near, far);
        pair.clientOwner.run(() -> {
            assertThat(near.channel().offer(ByteBuffer.allocate(Integer.BYTES))).isTrue();
            near.channel().flush();
        });
        pair.serverOwner.until("the last answer is there", far::isClosed);
        pair.clientOwner.until("the end is known", near::isClosed);
    }

    /** Sends each number back, one higher, until it is high enough; then closes, from within the callback. */
    private static final class Answering extends ChannelRecorder {

        private final int last;

        Answering(int last) {
            this.last = last;
        }

        @Override
        protected void received(ByteBuffer message) {
            int number = message.getInt();
            if (number == last) {
                close();
                return;
            }
            check(channel().offer(ByteBuffer.allocate(Integer.BYTES).putInt(0, number + 1)), "an answer was refused");
            channel().flush();
        }
    }

    @Test
    void shouldHearOfNothingMoreAfterClosingFromWithinACallback() throws Exception {
        Pair pair = pair(Threads.TWO);
        ChannelRecorder near = watched(new ChannelRecorder() {
            @Override
            protected void received(ByteBuffer message) {
                close();
            }
        });
        MessageFlow far = watched(new MessageFlow(19, 5_000, (i, most) -> 50));
        pair.connect(pair.bind(() -> far), near);
        pair.clientOwner.until("who closed hears of it", near::isClosed);
        pair.serverOwner.until("the peer hears of it", far::isClosed);
    }

    @Test
    void shouldDeliverNoMoreThanAPrefixWhenTheSenderCloses() throws Exception {
        Pair pair = pair(Threads.TWO);
        MessageFlow near = watched(new MessageFlow(23, 100_000, (i, most) -> 300));
        MessageFlow far = watched(new MessageFlow(23, 0, (i, most) -> 300));
        pair.open(near, far);
        pair.serverOwner.until("some have arrived", () -> far.received() > 0);
        pair.clientOwner.run(near::close);
        pair.clientOwner.until("who closed hears of it", near::isClosed);
        pair.serverOwner.until("the peer hears of it", far::isClosed);
        assertThat(far.received()).isLessThanOrEqualTo(near.sent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseMoreThanTheBufferWhenTheReceiverStandsStill(Threads threads) throws Exception {
        Pair pair = pair(threads);
        MessageFlow.Sizes sizes = (i, most) -> Math.min(most, 10_000);
        MessageFlow near = watched(new MessageFlow(29, 0, sizes));
        MessageFlow far = watched(new MessageFlow(29, Integer.MAX_VALUE, sizes));
        pair.open(near, far);
        pair.clientOwner.stop(pair.client);
        pair.serverOwner.until("the sender is refused for good", stuck(far));
        assertThat(far.mostUnsent()).isLessThanOrEqualTo(BUFFER + 10_000L);
        int before = far.sent();
        int refusals = far.writableCount();
        pair.clientOwner.resume(pair.client);
        pair.serverOwner.until("there is room again, and more is taken", () -> far.sent() > before + 300);
        pair.clientOwner.until("more than was stuck has arrived", () -> near.received() > before + 300);
        assertThat(far.writableCount()).isGreaterThan(refusals);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDelayOnlyChannelsToAReceiverThatStandsStill(Threads threads) throws Exception {
        Transport sender = create();
        Transport still = create();
        Transport lively = create();
        boolean alone = threads == Threads.ONE;
        TransportOwner one = alone ? owner(sender, still, lively) : owner(sender, still);
        TransportOwner two = alone ? one : owner(lively);
        delayOnlyTheOther(sender, still, lively, one, two);
    }

    private void delayOnlyTheOther(
            Transport sender, Transport still, Transport lively, TransportOwner one, TransportOwner two)
            throws Exception {
        MessageFlow.Sizes sizes = (i, most) -> Math.min(most, 10_000);
        MessageFlow toStill = watched(new MessageFlow(31, Integer.MAX_VALUE, sizes));
        MessageFlow toLively = watched(new MessageFlow(31, 1_000, sizes));
        MessageFlow atStill = watched(new MessageFlow(31, 0, sizes));
        MessageFlow atLively = watched(new MessageFlow(31, 0, sizes));
        Binding stillBinding = one.call(() -> still.bind(anyPort(), () -> atStill));
        Binding livelyBinding = two.call(() -> lively.bind(anyPort(), () -> atLively));
        one.run(() -> sender.connect(stillBinding.address(), toStill));
        one.until("something arrives", () -> atStill.received() > 0);
        one.stop(still);
        one.until("the sender is refused for good", stuck(toStill));
        one.run(() -> sender.connect(livelyBinding.address(), toLively));
        two.until("the other receiver gets all", () -> atLively.received() == 1_000);
        assertThat(one.call(toStill::isRefused)).isTrue();
        one.resume(still);
        int before = toStill.sent();
        one.until("the receiver goes on where it stood", () -> atStill.received() > before);
    }

    /** Refused for a number of rounds in a row, in which nothing more was taken; or far too much has been taken. */
    private static BooleanSupplier stuck(MessageFlow sender) {
        int[] rounds = {0};
        int[] sent = {-1};
        return () -> {
            assertThat(sender.acceptedBytes()).isLessThan(FAR_TOO_MUCH);
            rounds[0] = sender.isRefused() && sender.sent() == sent[0] ? rounds[0] + 1 : 0;
            sent[0] = sender.sent();
            return rounds[0] == ROUNDS_OF_REFUSAL;
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldNothingUnsentOnceAllHasArrived(Threads threads) throws Exception {
        Pair pair = pair(threads);
        MessageFlow near = watched(new MessageFlow(37, 100, (i, most) -> Math.min(most, 50_000)));
        MessageFlow far = watched(new MessageFlow(37, 0, (i, most) -> Math.min(most, 50_000)));
        pair.open(near, far);
        pair.serverOwner.until("all are there", () -> far.received() == 100);
        pair.clientOwner.until("nothing is unsent", () -> near.channel().unsent() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseOnlyTheChannelWhoseHandlerThrows(Threads threads) throws Exception {
        Pair pair = pair(threads);
        ChannelRecorder throwing = watched(new ChannelRecorder() {
            @Override
            protected void received(ByteBuffer message) {
                throw new IllegalStateException("thrown by a test");
            }
        });
        ChannelRecorder nearOfThrowing = recorder();
        MessageFlow near = watched(new MessageFlow(41, 1_000, (i, most) -> 100));
        MessageFlow far = watched(new MessageFlow(41, 1_000, (i, most) -> 100));
        pair.open(nearOfThrowing, throwing);
        pair.open(near, far);
        pair.clientOwner.run(() -> {
            assertThat(nearOfThrowing.channel().offer(ByteBuffer.allocate(8))).isTrue();
            nearOfThrowing.channel().flush();
        });
        pair.serverOwner.until("the channel closes", throwing::isClosed);
        pair.clientOwner.until("the peer hears of it", nearOfThrowing::isClosed);
        pair.clientOwner.until("the other channel goes on", () -> near.received() == 1_000);
        pair.serverOwner.until("the other channel goes on", () -> far.received() == 1_000);
        assertThat(near.isClosed()).isFalse();
        assertThat(throwing.reason()).contains("thrown by a test");
    }

    @Test
    void shouldCloseTheChannelWhoseHandlerThrowsOnOpen() throws Exception {
        Pair pair = pair(Threads.TWO);
        ChannelRecorder throwing = watched(new ChannelRecorder() {
            @Override
            protected void opened() {
                throw new IllegalStateException("thrown by a test");
            }
        });
        ChannelRecorder near = recorder();
        pair.connect(pair.bind(() -> throwing), near);
        pair.serverOwner.until("the channel closes", throwing::isClosed);
        pair.clientOwner.until("the peer hears of it", near::isClosed);
    }

    @Test
    void shouldCloseTheChannelOfAPeerWhoseMessageIsTooLong() throws Exception {
        require(ContractClause.LENGTH_IS_CHECKED_BY_THE_RECEIVER);
        Pair pair = pair(Threads.TWO, Map.of(), Map.of(TransportOptions.MAX_MESSAGE, 4_096))
                .open();
        assertThat(pair.far.channel().maxMessage()).isLessThanOrEqualTo(4_096);
        pair.clientOwner.run(() -> {
            pair.near.channel().offer(ByteBuffer.allocate(5_000));
            pair.near.channel().flush();
        });
        pair.serverOwner.until("the receiver closes", pair.far::isClosed);
        pair.clientOwner.until("the sender hears of it", pair.near::isClosed);
        assertThat(pair.far.messages()).isEmpty();
        assertThat(pair.far.reason()).contains("5000").contains("4096");
    }
}
