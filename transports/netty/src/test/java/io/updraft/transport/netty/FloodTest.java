package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.transport.Address;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A worker that receives many TCP connections without authentication. */
@ExtendWith(NoLeaks.class)
final class FloodTest {

    private static final int MOST = 20;
    private static final int FLOOD = 300;
    private static final Credentials SECRET =
            Credentials.of("a secret of 16 or more bytes".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path folder;

    private final List<Messenger> messengers = new ArrayList<>();
    private final List<Socket> flood = new ArrayList<>();
    private final Ear near = new Ear();
    private final Ear far = new Ear();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : flood) {
            socket.close();
        }
    }

    @Test
    void shouldHoldNoMoreThanAllowedAndLetInAPeerThatKnowsTheSecret() throws Exception {
        shouldSurvive(new HashMap<>());
    }

    @Test
    void shouldDoSoWithTlsThatIsNeverSpoken() throws Exception {
        shouldSurvive(Certificates.authority("ours").member("worker").writeTo(folder));
    }

    private void shouldSurvive(Map<String, Object> conf) throws Exception {
        try {
            survive(conf);
        } finally {
            messengers.forEach(Messenger::close); // by the thread that owns them
        }
    }

    private void survive(Map<String, Object> conf) throws Exception {
        conf.put(TransportOptions.MAX_UNAUTHENTICATED, MOST);
        conf.put(MessengerOptions.SILENCE, 60_000);
        Address at = messenger(conf, 2)
                .listen(new Address("127.0.0.1", 0), peer -> far)
                .address();
        dial(at, FLOOD);
        until("the flood has gone down", () -> stillOpen() <= MOST);
        messenger(conf, 1).connect(at, 2, near);
        while (!near.open) {
            dial(at, 1); // and the flood goes on
        }
        dial(at, FLOOD);
        until("the peer is in", () -> stillOpen() <= MOST && far.open);
        assertThat(near.open).isTrue();
        assertThat(near.losses).isEmpty();
        assertThat(flood).hasSizeGreaterThanOrEqualTo(2 * FLOOD);
    }

    private Messenger messenger(Map<String, Object> conf, int worker) throws Exception {
        Messenger messenger = new Messenger(
                Transports.create("netty", TransportOptions.of(conf)),
                MessengerOptions.of(conf, new PeerIdentity("words", worker, 1), SECRET));
        messengers.add(messenger);
        return messenger;
    }

    private void dial(Address at, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(at.host(), at.port());
            socket.setSoTimeout(1);
            flood.add(socket);
            messengers.forEach(Messenger::doWork);
        }
    }

    private void until(String expectation, BooleanSupplier condition) {
        Await.until(expectation, () -> {
            messengers.forEach(Messenger::doWork);
            return condition.getAsBoolean();
        });
    }

    /** Forgets those of the flood that were closed. {@return how many are left} */
    private long stillOpen() {
        return flood.stream()
                .filter(socket -> !socket.isClosed())
                .filter(this::isOpen)
                .count();
    }

    private boolean isOpen(Socket socket) {
        try {
            if (socket.getInputStream().read() >= 0) {
                return true;
            }
        } catch (SocketTimeoutException silent) {
            return true;
        } catch (IOException reset) {
            // As good as closed.
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return false;
    }

    private static final class Ear implements SessionHandler {

        private final List<SessionLoss> losses = new ArrayList<>();
        private boolean open;

        @Override
        public void onOpen(Session session) {
            open = true;
        }

        @Override
        public void onFrame(Session session, ByteBuffer frame) {
            session.release(frame.remaining());
        }

        @Override
        public void onWritable(Session session) {
            // Nothing is sent.
        }

        @Override
        public void onLost(Session session, SessionLoss loss) {
            losses.add(loss);
        }
    }
}
