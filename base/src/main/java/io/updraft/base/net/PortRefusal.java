package io.updraft.base.net;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Says in one line for users why a port cannot be opened. */
public final class PortRefusal {
    private PortRefusal() {}

    /**
     * Describes a failure to bind a port.
     *
     * @param address the address
     * @param failure why it cannot be bound, most often since another server has it
     * @return an exception whose message is one line for users, with the failure as its cause
     */
    public static BindException of(InetSocketAddress address, BindException failure) {
        InetAddress host = address.getAddress();
        BindException refusal = new BindException("cannot listen on port " + address.getPort() + " of "
                + (host == null ? address.getHostString() : host.getHostAddress())
                + ": " + failure.getMessage() + "; is another server running there?");
        refusal.initCause(failure);
        return refusal;
    }
}
