package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransportChoiceTest {

    private static final List<RdmaPort> NONE = List.of();
    private static final List<RdmaPort> ACTIVE = List.of(new RdmaPort("mlx5_0:1", "4: ACTIVE"));
    private static final List<RdmaPort> DOWN = List.of(new RdmaPort("mlx5_0:1", "1: DOWN"));

    @Test
    void shouldUseRdmaByItselfWhereThereIsADevice() {
        TransportChoice fabric = TransportChoice.choose("auto", ACTIVE, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isTrue();
        assertThat(fabric.tls()).isEqualTo("rc,posix");
        assertThat(fabric.description()).contains("RDMA (rc) on mlx5_0:1").contains("shared memory");
        assertThat(fabric.warning()).isEmpty();
    }

    @Test
    void shouldUseSharedMemoryAndTcpWhereThereIsNoDeviceWithoutAWarning() {
        TransportChoice fabric = TransportChoice.choose("auto", NONE, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.tls()).isEqualTo("posix,tcp");
        assertThat(fabric.warning()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud", "rc_verbs,tcp", "dc_mlx5,posix"})
    void shouldWarnWhenRdmaIsAskedForAndThereIsNoDevice(String asked) {
        TransportChoice fabric = TransportChoice.choose(asked, NONE, Long.MAX_VALUE);
        assertThat(fabric.tls()).isEqualTo("posix,tcp");
        assertThat(fabric.description()).contains("RDMA (" + asked + ") was requested but is NOT used");
        assertThat(fabric.warning())
                .hasValueSatisfying(warning ->
                        assertThat(warning).contains("no RDMA device").hasLineCount(1));
    }

    @Test
    void shouldWarnWhenThePortIsNotActive() {
        TransportChoice fabric = TransportChoice.choose("rc", DOWN, Long.MAX_VALUE);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("mlx5_0:1").contains("DOWN"));
    }

    @Test
    void shouldNotTouchADeviceWhenTooLittleMemoryMayBeLocked() {
        TransportChoice fabric = TransportChoice.choose("rc", ACTIVE, 8 << 20);
        assertThat(fabric.rdma()).isFalse();
        assertThat(fabric.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("8192 KiB").contains("ulimit -l unlimited"));
    }

    @Test
    void shouldSayWhyADeviceThatIsThereIsNotUsedEvenIfNobodyAskedForIt() {
        assertThat(TransportChoice.choose("auto", ACTIVE, 8 << 20).warning()).isPresent();
    }

    @Test
    void shouldGiveUcxNothingButWhatWasAskedFor() {
        assertThat(TransportChoice.choose("rc", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("rc");
        assertThat(TransportChoice.choose("tcp", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("tcp");
        assertThat(TransportChoice.choose("shm", ACTIVE, Long.MAX_VALUE).tls()).isEqualTo("posix,tcp");
        assertThat(TransportChoice.choose("sysv,tcp", ACTIVE, Long.MAX_VALUE).tls())
                .isEqualTo("sysv,tcp");
    }
}
