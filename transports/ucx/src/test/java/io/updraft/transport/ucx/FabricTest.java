package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FabricTest {

    private static final List<RdmaPort> NONE = List.of();
    private static final List<RdmaPort> ACTIVE = List.of(new RdmaPort("mlx5_0:1", "4: ACTIVE"));
    private static final List<RdmaPort> DOWN = List.of(new RdmaPort("mlx5_0:1", "1: DOWN"));

    @Test
    void shouldUseRdmaByItselfWhereThereIsADevice() {
        Fabric fabric = Fabric.choose("auto", ACTIVE, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isTrue();
        assertThat(fabric.tls()).isEqualTo("rc,posix");
        assertThat(fabric.description()).contains("RDMA (rc) on mlx5_0:1").contains("shared memory");
        assertThat(fabric.warning()).isEmpty();
    }

    @Test
    void shouldUseSharedMemoryAndTcpWhereThereIsNoDeviceWithoutAWarning() {
        Fabric fabric = Fabric.choose("auto", NONE, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.tls()).isEqualTo("posix,tcp");
        assertThat(fabric.warning()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud", "rc_verbs,tcp", "dc_mlx5,posix"})
    void shouldWarnWhenRdmaIsAskedForAndThereIsNoDevice(String asked) {
        Fabric fabric = Fabric.choose(asked, NONE, Long.MAX_VALUE);
        assertThat(fabric.tls()).isEqualTo("posix,tcp");
        assertThat(fabric.description()).contains("RDMA (" + asked + ") was requested but is NOT used");
        assertThat(fabric.warning())
                .hasValueSatisfying(warning ->
                        assertThat(warning).contains("no RDMA device").hasLineCount(1));
    }

    @Test
    void shouldWarnWhenThePortIsNotActive() {
        Fabric fabric = Fabric.choose("rc", DOWN, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("mlx5_0:1").contains("DOWN"));
    }

    @Test
    void shouldNotTouchADeviceWhenTooLittleMemoryMayBeLocked() {
        Fabric fabric = Fabric.choose("rc", ACTIVE, 8 << 20);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("8192 KiB").contains("ulimit -l unlimited"));
    }

    @Test
    void shouldSayWhyADeviceThatIsThereIsNotUsedEvenIfNobodyAskedForIt() {
        assertThat(Fabric.choose("auto", ACTIVE, 8 << 20).warning()).isPresent();
    }

    @Test
    void shouldGiveUcxNothingButWhatWasAskedFor() {
        assertThat(Fabric.choose("rc", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("rc");
        assertThat(Fabric.choose("tcp", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("tcp");
        assertThat(Fabric.choose("shm", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("posix,tcp");
        assertThat(Fabric.choose("sysv,tcp", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("sysv,tcp");
    }
}
