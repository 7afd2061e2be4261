package io.updraft.transport.netty;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of a transport, for each kernel interface, with and without TLS and compression. One combination runs in the
 * daily build, the others with the long tests.
 */
@ExtendWith(NoLeaks.class)
final class NettyContractTest {

    @TempDir
    private static Path folder;

    private static Map<String, Object> tls;

    @BeforeAll
    static void makeCertificates() throws Exception {
        tls = NettySetup.tls(folder);
    }

    abstract static class Contract extends TransportContract {

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
    }

    @Nested
    final class OverEpoll extends Contract {
        OverEpoll() {
            super(NettyIo.EPOLL, Map.of());
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

    /** {@link NettyTlsTest} is what runs each day. */
    @Nested
    @Tag("long")
    final class WithTlsOverNio extends Contract {
        WithTlsOverNio() {
            super(NettyIo.NIO, tls);
        }

        /** Each costs two handshakes' worth of arithmetic. */
        @Override
        protected int manyChannels() {
            return 40;
        }
    }

    @Nested
    @Tag("long")
    final class WithTlsAndLz4OverEpoll extends Contract {
        WithTlsAndLz4OverEpoll() {
            super(NettyIo.EPOLL, NettySetup.compressed(tls, "lz4"));
        }

        @Override
        protected int manyChannels() {
            return 40;
        }
    }

    /** {@link MessageCompressionTest} is what runs each day. */
    @Nested
    @Tag("long")
    final class WithZstd extends Contract {
        WithZstd() {
            super(NettyIo.EPOLL, Map.of(NettySettings.COMPRESS, "zstd"));
        }
    }
}
