package io.updraft.storm.thrift;

import io.updraft.base.net.ConnectionLimits;
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
 * One client of a {@link ThriftPort}. Between requests the port's selector owns the socket, which is then non-blocking. From
 * the first byte of a request to the last byte of its answer, a thread of the port's pool owns it. Any thread may call {@link
 * #close()}.
 */
final class ThriftConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftConnection.class);

    private final SocketChannel channel;
    private final ThriftService service;
    private final ConnectionLimits<ThriftConnection> limits;

    /** Null before the first request. */
    private BufferedSocket socketTransport;

    private TTransport transport;
    private TProtocol protocol;
    private String refusal;

    /** A socket transport that reports whether it has buffered or received more bytes than were read. */
    private static final class BufferedSocket extends TSocket {
        private BufferedSocket(Socket socket, int maxBytes) throws TTransportException {
            super(socket);
            getConfiguration().setMaxMessageSize(maxBytes);
            getConfiguration().setMaxFrameSize(maxBytes);
        }

        private boolean hasMore() throws IOException {
            return isOpen() && inputStream_.available() > 0;
        }
    }

    /** Reports to the limits when a request is complete, and when its answer begins. */
    private final class Phases extends TBinaryProtocol {
        private Phases(TTransport transport, int maxBytes) {
            super(transport, maxBytes, maxBytes, false, true);
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

    /** Answers all complete requests. Returns whether further requests may come; if not, the connection is closed. */
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
            } while (refusal == null && socketTransport.hasMore());
            if (refusal == null) {
                limits.idles(this);
                return true;
            }
        } catch (TException | IOException e) {
            LOG.debug("closing connection {}", channel, e);
        } catch (RuntimeException e) {
            LOG.warn("closing connection {}: it sent an invalid request", channel, e);
        }
        end();
        return false;
    }

    /**
     * Returns whether the peer has closed without a request: the selector reports the socket as readable, but no byte is there.
     */
    private boolean hasLeft() throws IOException {
        return channel.socket().getInputStream().available() == 0;
    }

    /** Runs the handshake, on the thread of the pool. */
    private void begin() throws TException, IOException {
        InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
        refusal = service.users().refusal(peer, (InetSocketAddress) channel.getLocalAddress());
        socketTransport = new BufferedSocket(service.wrap(channel.socket()), service.maxBytes());
        transport = service.transports().getTransport(socketTransport);
        protocol = new Phases(transport, service.maxBytes());
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

    /** Closes the transport first, on the thread that owns the connection: TLS sends its close message. */
    private void end() {
        if (transport != null) {
            transport.close();
        }
        close();
    }

    /** Closes at once; a thread that reads or writes gets an exception. */
    void close() {
        limits.closed(this);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("cannot close connection {}", channel, e);
        }
    }
}
