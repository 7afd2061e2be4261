package io.updraft.transport.aeron;

import io.updraft.transport.HostService;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract with a shared driver, as in local workers. The daily build runs {@link AeronUdpContractTest}. */
@Tag("long")
final class AeronIpcContractTest extends TransportContract {

    @AutoClose
    private static HostService host;

    @BeforeAll
    static void openHostService() throws Exception {
        host = new AeronProvider()
                .openHostService(TransportOptions.of(Map.of()))
                .orElseThrow();
    }

    @Override
    protected TransportProvider provider() {
        return new AeronProvider();
    }

    @Override
    protected Map<String, Object> conf() {
        return host.options();
    }
}
