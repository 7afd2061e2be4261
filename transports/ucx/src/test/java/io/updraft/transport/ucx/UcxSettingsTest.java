package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class UcxSettingsTest {

    @Test
    void shouldWaitByParkingAndChooseByItselfUnlessToldOtherwise() throws Exception {
        UcxSettings settings = UcxSettings.of(Map.of());
        assertThat(settings.tls()).isEqualTo("auto");
        assertThat(settings.spin()).isFalse();
        assertThat(UcxSettings.of(Map.of(UcxSettings.WAIT, "spin")).spin()).isTrue();
    }

    @Test
    void shouldNameTheKeyAndTheValueThatMakeNoSense() {
        assertThatThrownBy(() -> UcxSettings.of(Map.of(UcxSettings.WAIT, "sometimes")))
                .isInstanceOf(TransportException.class)
                .hasMessage("updraft.transport.ucx.wait is 'sometimes': it must be spin or park");
    }

    @Test
    void shouldPassOnWhatTheConfigurationSaysToUcxItself() throws Exception {
        UcxSettings settings = UcxSettings.of(Map.of("UCX_NET_DEVICES", "mlx5_0:1", "topology.workers", 3));
        assertThat(settings.ucx()).containsOnly(Map.entry("NET_DEVICES", "mlx5_0:1"));
    }

    @Test
    void shouldBeFoundByItsNameAndSayHowItWaits() throws Exception {
        skipWithoutLibucx();
        Map<String, Object> conf = Map.of(UcxSettings.TLS, "tcp", UcxSettings.WAIT, "spin");
        try (Transport transport = Transports.create("ucx", TransportOptions.of(conf))) {
            assertThat(transport.name()).isEqualTo("ucx");
            assertThat(transport.description()).isEqualTo("ucx, tcp, busy polling");
        }
    }

    @Test
    void shouldSayOnOneLineThatUcxCannotUseWhatItWasToldTo() {
        skipWithoutLibucx();
        TransportOptions options = TransportOptions.of(Map.of(UcxSettings.TLS, "pigeons"));
        assertThatThrownBy(() -> Transports.create("ucx", options))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("'pigeons'")
                .hasMessageContaining(UcxSettings.TLS)
                .satisfies(refused -> assertThat(refused.getMessage().lines()).hasSize(1));
    }

    private static void skipWithoutLibucx() {
        Optional<String> reason = Libucx.whyNotHere();
        Assumptions.assumeTrue(reason.isEmpty(), reason::get);
    }
}
