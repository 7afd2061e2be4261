package io.updraft.transport.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportOptions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

class ZeroMqCloseTest {

    /** As JeroMQ has it where it has lost sight of a connection. */
    @Test
    @Tag("long")
    void shouldCloseThoughASocketOfJeroMqIsNeverClosed() throws Exception {
        ZeroMqTransport transport = (ZeroMqTransport) new ZeroMqProvider().create(TransportOptions.of(Map.of()));
        ZMQ.Socket left = transport.context.socket(SocketType.PAIR);
        Thread closer = new Thread(transport::close);
        closer.start();
        closer.join(60_000);
        assertThat(closer.isAlive()).isFalse();
        left.close();
    }
}
