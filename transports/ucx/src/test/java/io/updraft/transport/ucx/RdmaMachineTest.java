package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading of /sys and /proc. */
final class RdmaMachineTest {

    private static final String HEAD =
            "Limit                     Soft Limit           Hard Limit           Units     \n"
                    + "Max processes             96000                96000                processes \n";

    @Test
    void shouldReadHowMuchMemoryMayBeLocked() {
        assertThat(LockedMemory.limitIn(
                        HEAD + "Max locked memory         8388608              16777216             bytes\n"))
                .isEqualTo(8_388_608);
    }

    @Test
    void shouldReadThatMemoryMayBeLockedWithoutLimit() {
        assertThat(LockedMemory.limitIn(
                        HEAD + "Max locked memory         unlimited            unlimited            bytes\n"))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFindThePortsOfRdmaDevices(@TempDir Path devices) throws Exception {
        port(devices, "mlx5_0", "1", "4: ACTIVE\n");
        port(devices, "mlx5_0", "2", "1: DOWN\n");
        port(devices, "rxe0", "1", "4: ACTIVE\n");
        assertThat(RdmaPort.in(devices))
                .containsExactly(
                        new RdmaPort("mlx5_0:1", "4: ACTIVE"),
                        new RdmaPort("mlx5_0:2", "1: DOWN"),
                        new RdmaPort("rxe0:1", "4: ACTIVE"));
        assertThat(RdmaPort.in(devices)).filteredOn(RdmaPort::isActive).hasSize(2);
    }

    @Test
    void shouldFindNoPortsWhereThereAreNoDevices(@TempDir Path devices) {
        assertThat(RdmaPort.in(devices.resolve("missing"))).isEmpty();
    }

    private static void port(Path devices, String device, String port, String state) throws Exception {
        Path folder =
                Files.createDirectories(devices.resolve(device).resolve("ports").resolve(port));
        Files.writeString(folder.resolve("state"), state);
    }
}
