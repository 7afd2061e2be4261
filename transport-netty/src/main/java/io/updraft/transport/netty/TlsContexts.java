package io.updraft.transport.netty;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.updraft.transport.TransportException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLException;

/**
 * What was made of one state of the files.
 *
 * @param client for connections that are opened here
 * @param server for connections that are accepted here
 */
record TlsContexts(SslContext client, SslContext server) {

    private static final String PROTOCOL = "TLSv1.3";

    static TlsContexts load(TlsFiles files, boolean clientAuth, boolean verifyHost) throws TransportException {
        byte[] cert = read(Tls.CERT, files.cert());
        byte[] key = read(Tls.KEY, files.key());
        byte[] trust = read(Tls.TRUST, files.trust());
        requireValid(Tls.CERT, files.cert(), cert);
        requireValid(Tls.TRUST, files.trust(), trust);
        try {
            SslContextBuilder client = SslContextBuilder.forClient()
                    .keyManager(in(cert), in(key))
                    .endpointIdentificationAlgorithm(verifyHost ? "HTTPS" : null);
            SslContextBuilder server = SslContextBuilder.forServer(in(cert), in(key))
                    .clientAuth(clientAuth ? ClientAuth.REQUIRE : ClientAuth.NONE);
            return new TlsContexts(finish(client, trust), finish(server, trust));
        } catch (IllegalArgumentException | SSLException unusable) {
            throw new TransportException(
                    Tls.KEY + ": " + files.key() + " cannot be used with " + files.cert() + " ("
                            + Reasons.root(unusable)
                            + "): it must be the certificate's private key, PKCS#8 in PEM, not encrypted",
                    unusable);
        }
    }

    private static SslContext finish(SslContextBuilder builder, byte[] trust) throws SSLException {
        return builder.sslProvider(SslProvider.JDK)
                .protocols(PROTOCOL)
                .trustManager(in(trust))
                .build();
    }

    private static InputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static byte[] read(String what, Path file) throws TransportException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new TransportException(what + ": there is no file " + file, missing);
        } catch (IOException unreadable) {
            throw new TransportException(
                    what + ": " + file + " cannot be read: " + Reasons.thrown(unreadable), unreadable);
        }
    }

    private static void requireValid(String what, Path file, byte[] pem) throws TransportException {
        Collection<? extends Certificate> certificates = certificates(what, file, pem);
        if (certificates.isEmpty()) {
            throw new TransportException(what + ": " + file + " has no certificate in PEM");
        }
        for (Certificate certificate : certificates) {
            requireValid(what + ": the certificate in " + file, (X509Certificate) certificate);
        }
    }

    private static Collection<? extends Certificate> certificates(String what, Path file, byte[] pem)
            throws TransportException {
        try {
            return CertificateFactory.getInstance("X.509").generateCertificates(in(pem));
        } catch (CertificateException unreadable) {
            throw new TransportException(
                    what + ": " + file + " has no certificate in PEM: " + Reasons.root(unreadable), unreadable);
        }
    }

    private static void requireValid(String which, X509Certificate certificate) throws TransportException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException expired) {
            throw new TransportException(
                    which + " has expired on " + certificate.getNotAfter().toInstant() + ": renew it", expired);
        } catch (CertificateNotYetValidException early) {
            throw new TransportException(
                    which + " is valid only from " + certificate.getNotBefore().toInstant() + " on: check the clock",
                    early);
        }
    }
}
