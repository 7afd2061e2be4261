package io.updraft.storm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.protocol.TMessage;
import org.apache.storm.thrift.protocol.TMessageType;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.protocol.TProtocolUtil;
import org.apache.storm.thrift.protocol.TType;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of a {@link ThriftPort}. Between requests the port's selector has its socket, which is non-blocking then; from a
 * request's first byte to the answer's last one a thread of the port's pool has it. {@link #close()} is for any thread.
 */
final class ThriftConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftConnection.class);

    private final SocketChannel channel;
    private final ThriftService service;
    private final ConnectionLimits<ThriftConnection> limits;

    /** Null before the first request. */
    private Wire wire;

    private TTransport transport;
    private TProtocol protocol;
    private String refusal;

    /** Knows whether it has read more than was asked for. */
    private static final class Wire extends TSocket {
        private Wire(Socket socket, int mostBytes) throws TTransportException {
            super(socket);
            getConfiguration().setMaxMessageSize(mostBytes);
            getConfiguration().setMaxFrameSize(mostBytes);
        }

        private boolean hasMore() throws IOException {
            return isOpen() && inputStream_.available() > 0;
        }
    }

    /** Tells when a request has come, and when its answer begins. */
    private final class Phases extends TBinaryProtocol {
        private Phases(TTransport transport, int mostBytes) {
            super(transport, mostBytes, mostBytes, false, true);
        }

        @Override
        public void readMessageEnd() throws TException {
            super.readMessageEnd();
            limits.calls(ThriftConnection.this);
        }

        @Override
        public void writeMessageBegin(TMessage message) throws TException {
            limits.transfers(ThriftConnection.this);
            super.writeMessageBegin(message);
        }
    }

    ThriftConnection(SocketChannel channel, ThriftService service, ConnectionLimits<ThriftConnection> limits) {
        this.channel = channel;
        this.service = service;
        this.limits = limits;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Answers what has come. Returns whether there may be more requests later; if not, it is closed. */
    boolean answer() {
        try {
            if (protocol == null) {
                if (hasLeft()) {
                    close();
                    return false;
                }
                begin();
            }
            do {
                limits.transfers(this);
                processor().process(protocol, protocol);
            } while (refusal == null && wire.hasMore());
            if (refusal == null) {
                limits.idles(this);
                return true;
            }
        } catch (TException | IOException e) {
            LOG.debug("the connection of {} ends", channel, e);
        } catch (RuntimeException e) {
            LOG.warn("the connection of {} is closed: what it sent made no sense", channel, e);
        }
        end();
        return false;
    }

    /** Whether the peer has closed without a word: the selector says that there is something to read, and there is nothing. */
    private boolean hasLeft() throws IOException {
        return channel.socket().getInputStream().available() == 0;
    }

    /** Handshakes, on the pool's thread. */
    private void begin() throws TException, IOException {
        InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
        refusal = service.users().refusal(peer, (InetSocketAddress) channel.getLocalAddress());
        wire = new Wire(service.wrap(channel.socket()), service.mostBytes());
        transport = service.transports().getTransport(wire);
        protocol = new Phases(transport, service.mostBytes());
    }

    private TProcessor processor() {
        return refusal == null ? service.processor() : this::refuse;
    }

    private void refuse(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        TProtocolUtil.skip(in, TType.STRUCT);
        in.readMessageEnd();
        out.writeMessageBegin(new TMessage(call.name, TMessageType.EXCEPTION, call.seqid));
        new TApplicationException(TApplicationException.INTERNAL_ERROR, refusal).write(out);
        out.writeMessageEnd();
        out.getTransport().flush();
    }

    /** In order, on the thread that has it: TLS says farewell. */
    private void end() {
        if (transport != null) {
            transport.close();
        }
        close();
    }

    /** At once; a thread that reads or writes finds out. */
    void close() {
        limits.closed(this);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("{} could not be closed", channel, e);
        }
    }
}
