package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A transport that listens and, optionally, others that connect to it, each with its thread; closed after the test. */
final class ConnectedEnds implements AutoCloseable {

    private final List<TransportOwner> owners = new ArrayList<>();

    /** A transport and its thread. */
    record End(Transport transport, TransportOwner owner) {

        /** Opens a channel; the handler has heard how that went when this returns. */
        void connect(Address to, ChannelRecorder handler) throws Exception {
            owner.run(() -> transport.connect(to, handler));
            owner.until("the channel opens or not", () -> handler.isOpened() || handler.isClosed());
        }

        String reasonOf(ChannelRecorder handler) throws Exception {
            owner.until("the channel closes", handler::isClosed);
            assertThat(handler.violations()).isEmpty();
            return handler.reason();
        }
    }

    /** A transport that listens and keeps the handlers of what it accepted. */
    record Listener(End end, Address address, List<ChannelRecorder> accepted) {

        ChannelRecorder first() throws Exception {
            end.owner().until("a channel is accepted", () -> !accepted.isEmpty());
            return accepted.get(0);
        }

        String reasonOfFirst() throws Exception {
            return end.reasonOf(first());
        }

        Socket dial() throws Exception {
            return new Socket(address.host(), address.port());
        }
    }

    End end(Map<String, Object> conf) throws TransportException {
        Map<String, Object> patient = new HashMap<>(conf);
        patient.putIfAbsent(TransportOptions.CONNECT_TIMEOUT, 20_000);
        Transport transport = new NettyTransportProvider().create(TransportOptions.of(patient));
        TransportOwner owner = new TransportOwner(transport);
        owners.add(owner);
        return new End(transport, owner);
    }

    Listener listener(Map<String, Object> conf) throws Exception {
        End end = end(conf);
        List<ChannelRecorder> accepted = new ArrayList<>();
        Binding binding = end.owner()
                .call(() -> end.transport().bind(new Address("127.0.0.1", 0), () -> {
                    accepted.add(new ChannelRecorder());
                    return accepted.get(accepted.size() - 1);
                }));
        return new Listener(end, binding.address(), accepted);
    }

    @Override
    public void close() {
        owners.forEach(TransportOwner::close);
    }
}
