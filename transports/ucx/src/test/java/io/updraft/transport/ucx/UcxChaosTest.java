package io.updraft.transport.ucx;

import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.ChaosContract;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Sessions over UCX under random faults. */
final class UcxChaosTest {

    abstract static class Contract extends ChaosContract {

        private final String tls;

        Contract(String tls) {
            this.tls = tls;
        }

        @Override
        protected TransportProvider provider() {
            return new UcxTransportProvider();
        }

        @Override
        protected Map<String, Object> conf() {
            return Map.of(UcxSettings.TLS, tls, TransportOptions.CONNECT_TIMEOUT, 5_000);
        }

        @Override
        protected Optional<String> whyNotHere() {
            return Libucx.whyNotHere();
        }

        @Override
        protected RawPort rawPort() {
            return RawPort.TCP;
        }

        @Override
        protected int veryManyPeers() {
            return 300;
        }
    }

    @Nested
    @Tag("long")
    final class OverTcp extends Contract {
        OverTcp() {
            super("tcp");
        }
    }

    @Nested
    final class OverSharedMemory extends Contract {
        OverSharedMemory() {
            super("shm");
        }
    }
}
