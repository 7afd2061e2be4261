package io.updraft.storm;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A server's side of TLS.
 *
 * @param context its certificate, and whom it trusts
 * @param needsCertificate whether who connects has to show one
 */
record ServerTls(SSLContext context, boolean needsCertificate) {

    /** A socket over a connected one; the handshake comes with the first read. */
    SSLSocket over(Socket socket) throws IOException {
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
        secure.setNeedClientAuth(needsCertificate);
        return secure;
    }
}
