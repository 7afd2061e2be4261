package io.updraft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;

class AddressTest {
    @Test
    void shouldChooseALoopbackAddressThatTheHostHas() throws Exception {
        Address here = Address.loopback(7);

        InetAddress address = InetAddress.getByName(here.host());
        assertThat(address.isLoopbackAddress()).isTrue();
        assertThat(NetworkInterface.getByInetAddress(address)).isNotNull();
        assertThat(here.port()).isEqualTo(7);
    }
}
