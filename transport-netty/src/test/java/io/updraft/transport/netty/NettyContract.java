package io.updraft.transport.netty;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The contract for one way to talk to the kernel, with or without more. */
abstract class NettyContract extends TransportContract {

    private final Io io;
    private final Map<String, Object> more;

    NettyContract(Io io, Map<String, Object> more) {
        this.io = io;
        this.more = more;
    }

    @Override
    protected TransportProvider provider() {
        return new NettyTransportProvider();
    }

    @Override
    protected Map<String, Object> conf() {
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(NettySettings.IO, io.name().toLowerCase(java.util.Locale.ROOT));
        return conf;
    }

    @Override
    protected Optional<String> whyNotHere() {
        return Optional.ofNullable(io.whyNot()).map(Reasons::root);
    }
}
