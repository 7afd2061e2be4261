package io.updraft.transport.netty;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.ChaosContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over TCP under random faults, for each kernel interface, and with TLS and compression. */
@ExtendWith(NoLeaks.class)
final class NettyChaosTest {

    @TempDir
    private static Path folder;

    private static Map<String, Object> tls;

    @BeforeAll
    static void makeCertificates() throws Exception {
        tls = NettySetup.tls(folder);
    }

    abstract static class Contract extends ChaosContract {

        private final NettySetup setup;

        Contract(NettyIo io, Map<String, Object> more) {
            setup = NettySetup.of(io, more);
        }

        @Override
        protected TransportProvider provider() {
            return setup.provider();
        }

        @Override
        protected Map<String, Object> conf() {
            return setup.conf();
        }

        @Override
        protected Optional<String> whyNotHere() {
            return setup.whyNotHere();
        }

        @Override
        protected RawPort rawPort() {
            return RawPort.TCP;
        }

        /** Once very many are enough: see {@link OverEpoll}. */
        @Override
        protected int veryManyPeers() {
            return 500;
        }
    }

    @Nested
    final class OverEpoll extends Contract {
        OverEpoll() {
            super(NettyIo.EPOLL, Map.of());
        }

        @Override
        protected int veryManyPeers() {
            return 2_000;
        }
    }

    @Nested
    @Tag("long")
    final class OverIoUring extends Contract {
        OverIoUring() {
            super(NettyIo.IO_URING, Map.of());
        }
    }

    @Nested
    @Tag("long")
    final class OverNio extends Contract {
        OverNio() {
            super(NettyIo.NIO, Map.of());
        }
    }

    @Nested
    @Tag("long")
    final class WithTlsAndCompression extends Contract {
        WithTlsAndCompression() {
            super(NettyIo.EPOLL, NettySetup.compressed(tls, "zstd"));
        }

        /** A handshake takes a cold JVM its time. */
        @Override
        protected long silenceMillis() {
            return 4_000;
        }

        /** Each costs two handshakes' worth of arithmetic. */
        @Override
        protected int manyPeers() {
            return 30;
        }

        @Override
        protected int veryManyPeers() {
            return 150;
        }
    }
}
