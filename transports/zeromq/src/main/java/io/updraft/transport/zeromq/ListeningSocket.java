package io.updraft.transport.zeromq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import zmq.Options;
import zmq.io.net.Address;
import zmq.io.net.SelectorProviderChooser;

/**
 * Keeps the server channel on which JeroMQ listens, to return its port and to close it. Unbinding a socket in ZeroMQ would also
 * end the accepted connections.
 */
final class ListeningSocket extends SelectorProvider implements SelectorProviderChooser {

    private final SelectorProvider system = SelectorProvider.provider();
    private ServerSocketChannel listening;

    /** {@return the port on which the socket listens, even if the system chose it} */
    int port() {
        try {
            return ((InetSocketAddress) listening.getLocalAddress()).getPort();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /** Stops listening. The port is free after the next poll of the I/O thread. */
    void close() {
        try {
            if (listening != null) {
                listening.close();
            }
        } catch (IOException alreadyGone) {
            throw new UncheckedIOException(alreadyGone);
        }
    }

    @Override
    public SelectorProvider choose(Address.IZAddress address, Options options) {
        return this;
    }

    /** Called by the owner, from within bind. */
    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        listening = system.openServerSocketChannel();
        return listening;
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return system.openSocketChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return system.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return system.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return system.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return system.openSelector();
    }
}
