package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static io.updraft.transport.session.SimulatedSessions.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.contract.ForwardingTransport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a messenger waits. */
final class AwaitTest {

    private static final long LONG = 60_000 * MILLI;

    private final SimulatedSessions world = new SimulatedSessions();
    private final Watched transport = new Watched(world.network.transport());
    private final Messenger messenger = world.messenger(SimulatedSessions.options(1), transport);

    @Test
    void shouldWaitAsLongAsItIsToldWhenThereIsNothingToDo() throws TransportException {
        messenger.listen(HERE, peer -> new SessionRecorder());
        world.settle();
        messenger.await(LONG);
        assertThat(transport.waits).containsExactly(LONG);
    }

    @Test
    void shouldWaitNoLongerThanUntilTheNextHeartbeat() throws TransportException {
        connect();
        messenger.await(LONG);
        messenger.await(3);
        assertThat(transport.waits.get(0)).isBetween(1L, 100 * MILLI);
        assertThat(transport.waits.get(1)).isEqualTo(3);
    }

    @Test
    void shouldWaitNoLongerThanUntilTheNextAttempt() {
        messenger.connect(HERE, 2, new SessionRecorder());
        world.settle();
        messenger.await(LONG);
        assertThat(transport.waits.get(0)).isBetween(1L, 100 * MILLI);
    }

    @Test
    void shouldNotWaitWhenSomethingIsDue() throws TransportException {
        Session session = connect();
        world.now += 100 * MILLI;
        messenger.await(LONG);
        assertThat(transport.waits).isEmpty();
        world.settle();
        session.close();
        messenger.await(LONG);
        assertThat(transport.waits).as("the handler has yet to hear of the end").isEmpty();
    }

    @Test
    void shouldPassOnAWakeUpAndAClose() {
        messenger.wakeUp();
        messenger.close();
        messenger.close();
        assertThat(transport.wakeUps).isEqualTo(1);
        assertThat(transport.closed).isTrue();
    }

    private Session connect() throws TransportException {
        world.messenger(2).listen(HERE, peer -> new SessionRecorder());
        Session session = messenger.connect(HERE, 2, new SessionRecorder());
        world.settle();
        assertThat(session.isOpen()).isTrue();
        return session;
    }

    /** Writes down what is asked of a transport. */
    private static final class Watched extends ForwardingTransport {

        final List<Long> waits = new ArrayList<>();
        int wakeUps;
        boolean closed;

        Watched(Transport transport) {
            super(transport);
        }

        @Override
        public void await(long nanos) {
            waits.add(nanos);
        }

        @Override
        public void wakeUp() {
            wakeUps++;
        }

        @Override
        public void close() {
            closed = true;
            super.close();
        }
    }
}
