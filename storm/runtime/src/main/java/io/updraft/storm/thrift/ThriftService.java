package io.updraft.storm.thrift;

import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.security.auth.Subject;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.security.auth.sasl.SaslTransportPlugin;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.transport.TSaslServerTransport;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
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

    /**
     * The server's side of TLS.
     *
     * @param context the server's certificate, and the certificates that it trusts
     * @param needsCertificate whether clients must show a certificate
     */
    public record ServerTls(SSLContext context, boolean needsCertificate) {

        /** Creates a TLS socket over a connected one. The handshake runs with the first read. */
        SSLSocket over(Socket socket) throws IOException {
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
            secure.setNeedClientAuth(needsCertificate);
            return secure;
        }
    }

    /**
     * Identifies the caller of each request, as Storm's servers do ({@link ReqContext}): the user of the password, the subject of
     * the client certificate, or no principal. A thread without a caller belongs to this process itself.
     *
     * @param service processes the calls, on the connection's thread
     */
    public record CallerIdentification(TProcessor service) implements TProcessor {

        /** Storm's name for a TLS client without a certificate. */
        private static final String ANONYMOUS = "CN=ANONYMOUS";

        @Override
        public void process(TProtocol in, TProtocol out) throws TException {
            ReqContext.context().setSubject(subjectOf(in.getTransport()));
            try {
                service.process(in, out);
            } finally {
                ReqContext.reset();
            }
        }

        private static Subject subjectOf(TTransport transport) {
            Subject subject = new Subject();
            if (transport instanceof TSaslServerTransport sasl) {
                subject.getPrincipals()
                        .add(new SaslTransportPlugin.User(sasl.getSaslServer().getAuthorizationID()));
            } else if (transport instanceof TSocket socket && socket.getSocket() instanceof SSLSocket secure) {
                subject.getPrincipals().add(ofCertificate(secure));
            }
            return subject;
        }

        private static Principal ofCertificate(SSLSocket socket) {
            try {
                X509Certificate certificate =
                        (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return new SingleUserPrincipal(
                        certificate.getSubjectX500Principal().toString());
            } catch (SSLPeerUnverifiedException e) {
                return new SingleUserPrincipal(ANONYMOUS);
            }
        }
    }
}
