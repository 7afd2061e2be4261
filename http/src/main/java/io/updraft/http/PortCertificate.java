package io.updraft.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.updraft.base.pem.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/** The certificate of a port with TLS 1.2 or 1.3. */
public final class PortCertificate {
    private final SslContext context;

    private PortCertificate(SslContext context) {
        this.context = context;
    }

    /**
     * Reads a certificate and its key.
     *
     * @param certificate a file with the certificate and those of its authorities, in PEM
     * @param key a file with the unencrypted private key, in PKCS#8 and PEM
     * @return the certificate
     * @throws IOException when the files cannot be used; the message is one line for users
     */
    public static PortCertificate read(Path certificate, Path key) throws IOException {
        X509Certificate[] chain = PemFiles.certificates(certificate);
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            throw new IOException("the certificate in " + certificate + " cannot be used: " + e.getMessage(), e);
        }
        return new PortCertificate(SslContextBuilder.forServer(PemFiles.key(key, chain[0], certificate), chain)
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .build());
    }

    SslContext context() {
        return context;
    }
}
