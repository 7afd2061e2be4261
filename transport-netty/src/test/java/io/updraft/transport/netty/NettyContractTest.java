package io.updraft.transport.netty;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a transport, for each way to talk to the kernel, with and without TLS and compression. */
@ExtendWith(NoLeaks.class)
final class NettyContractTest {

    @TempDir
    private static Path folder;

    private static Map<String, Object> tls;

    @BeforeAll
    static void makeCertificates() throws Exception {
        tls = Certificates.authority("everybody").member("worker").writeTo(folder);
    }

    abstract static class Contract extends TransportContract {

        private final Io io;
        private final Map<String, Object> conf;

        Contract(Io io, Map<String, Object> more) {
            this.io = io;
            conf = new HashMap<>(more);
            conf.put(NettySettings.IO, io.name().toLowerCase(Locale.ROOT));
        }

        @Override
        protected TransportProvider provider() {
            return new NettyTransportProvider();
        }

        @Override
        protected Map<String, Object> conf() {
            return conf;
        }

        @Override
        protected Optional<String> whyNotHere() {
            return Optional.ofNullable(io.whyNot()).map(Reasons::root);
        }
    }

    @Nested
    final class OverEpoll extends Contract {
        OverEpoll() {
            super(Io.EPOLL, Map.of());
        }
    }

    @Nested
    final class OverIoUring extends Contract {
        OverIoUring() {
            super(Io.IO_URING, Map.of());
        }
    }

    @Nested
    final class OverNio extends Contract {
        OverNio() {
            super(Io.NIO, Map.of());
        }
    }

    @Nested
    final class WithTlsOverEpoll extends Contract {
        WithTlsOverEpoll() {
            super(Io.EPOLL, tls);
        }

        /** Each costs two handshakes' worth of arithmetic. */
        @Override
        protected int manyChannels() {
            return 40;
        }
    }

    @Nested
    final class WithTlsOverNio extends Contract {
        WithTlsOverNio() {
            super(Io.NIO, tls);
        }

        @Override
        protected int manyChannels() {
            return 40;
        }
    }

    @Nested
    final class WithLz4 extends Contract {
        WithLz4() {
            super(Io.EPOLL, Map.of(NettySettings.COMPRESS, "lz4"));
        }
    }

    @Nested
    final class WithZstd extends Contract {
        WithZstd() {
            super(Io.EPOLL, Map.of(NettySettings.COMPRESS, "zstd"));
        }
    }
}
