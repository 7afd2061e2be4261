package io.updraft.storm.thrift;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.protocol.TMessage;
import org.apache.storm.thrift.protocol.TMessageType;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.protocol.TProtocolUtil;
import org.apache.storm.thrift.protocol.TType;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransportFactory;
import org.junit.jupiter.api.Test;

class ThriftPortTest {
    private static final int MANY = 300;
    private static final int MOST_BYTES = 1024;

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void shouldNotAskWhoAPeerIsThatLeavesWithoutAWord() throws Exception {
        AllowedUsers users = AllowedUsers.own((peer, own) -> {
            looks.incrementAndGet();
            return PeerUser.ofThisHost().orElseThrow().of(peer, own);
        });
        try (ThriftPort port = port(users)) {
            for (int i = 0; i < MANY; i++) {
                new Socket(port.address().getAddress(), port.address().getPort()).close();
            }
            assertThat(call(port.address())).isEqualTo(TMessageType.REPLY);
        }
        assertThat(looks).hasValue(1);
    }

    private static ThriftPort port(AllowedUsers users) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return ThriftPort.serve(
                "thrift-port-test",
                ThriftPort.bind(any),
                new ThriftService(MOST_BYTES, users, null, new TTransportFactory(), ThriftPortTest::answer));
    }

    private static void answer(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        TProtocolUtil.skip(in, TType.STRUCT);
        in.readMessageEnd();
        write(out, new TMessage(call.name, TMessageType.REPLY, call.seqid));
    }

    private static byte call(InetSocketAddress port) throws TException {
        try (TSocket socket = new TSocket(port.getHostString(), port.getPort())) {
            socket.open();
            TProtocol protocol = new TBinaryProtocol(socket);
            write(protocol, new TMessage("list", TMessageType.CALL, 1));
            return protocol.readMessageBegin().type;
        }
    }

    private static void write(TProtocol out, TMessage message) throws TException {
        out.writeMessageBegin(message);
        out.writeFieldStop();
        out.writeMessageEnd();
        out.getTransport().flush();
    }
}
