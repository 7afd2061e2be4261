package io.updraft.transport.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.Clause;
import io.updraft.transport.contract.TransportContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All transports with one driver, as workers of one host may have. */
final class AeronIpcContractTest extends TransportContract {

    private static Path folder;
    private static MediaDriver driver;

    @BeforeAll
    static void startDriver() {
        folder = DriverFolder.unused();
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.toString())
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED));
    }

    @AfterAll
    static void stopDriver() {
        driver.close();
    }

    @Override
    protected TransportProvider provider() {
        return new AeronProvider();
    }

    @Override
    protected Map<String, Object> conf() {
        return Map.of(AeronProvider.SHARED_DRIVER, folder.toString());
    }

    @Override
    protected Optional<String> whyNot(Clause clause) {
        return clause == Clause.PORTS_ARE_EXCLUSIVE
                ? Optional.of("in shared memory a port is the number of a stream, which any number may subscribe to")
                : Optional.empty();
    }
}
