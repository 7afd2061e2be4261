package io.updraft.storm.thrift;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.transport.TTransportFactory;

/**
 * The service of one port, and the clients that may use it.
 *
 * @param maxBytes the maximum length of a frame in bytes, of a text in bytes, and of a list in elements
 * @param users the users of this host who may connect
 * @param tls the port's TLS; null for none
 * @param transports the transport over the socket, beneath Thrift's binary protocol
 * @param processor answers the calls, on the threads of the connections
 */
public record ThriftService(
        int maxBytes, AllowedUsers users, ServerTls tls, TTransportFactory transports, TProcessor processor) {

    Socket wrap(Socket socket) throws IOException {
        return tls == null ? socket : tls.over(socket);
    }

    /** The server's side of TLS: its certificate, those that it trusts, and whether clients must show one. */
    public record ServerTls(SSLContext context, boolean needsCertificate) {

        /** Creates a TLS socket over a connected one. The handshake runs with the first read. */
        SSLSocket over(Socket socket) throws IOException {
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
            secure.setNeedClientAuth(needsCertificate);
            return secure;
        }
    }
}
