package io.updraft.storm.thrift;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

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
