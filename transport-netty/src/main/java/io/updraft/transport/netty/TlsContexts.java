package io.updraft.transport.netty;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.updraft.transport.TransportException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
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
        X509Certificate[] chain = certificates(Tls.CERT, files.cert());
        X509Certificate[] trust = certificates(Tls.TRUST, files.trust());
        PrivateKey key = key(files.key(), chain[0]);
        SslContextBuilder client = SslContextBuilder.forClient()
                .keyManager(key, chain)
                .endpointIdentificationAlgorithm(verifyHost ? "HTTPS" : null);
        SslContextBuilder server =
                SslContextBuilder.forServer(key, chain).clientAuth(clientAuth ? ClientAuth.REQUIRE : ClientAuth.NONE);
        return new TlsContexts(finish(client, trust), finish(server, trust));
    }

    private static SslContext finish(SslContextBuilder builder, X509Certificate[] trust) throws TransportException {
        try {
            return builder.sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .trustManager(trust)
                    .build();
        } catch (SSLException unusable) {
            throw new TransportException(
                    "TLS 1.3 cannot be used with these certificates: " + Reasons.root(unusable), unusable);
        }
    }

    private static PrivateKey key(Path file, X509Certificate certificate) throws TransportException {
        try {
            return TlsKey.read(read(Tls.KEY, file), certificate.getPublicKey());
        } catch (GeneralSecurityException unusable) {
            throw new TransportException(Tls.KEY + ": " + file + " " + unusable.getMessage(), unusable);
        }
    }

    private static X509Certificate[] certificates(String what, Path file) throws TransportException {
        Collection<? extends Certificate> certificates = parse(what, file);
        if (certificates.isEmpty()) {
            throw new TransportException(what + ": " + file + " has no certificate in PEM");
        }
        X509Certificate[] valid = certificates.toArray(X509Certificate[]::new);
        for (X509Certificate certificate : valid) {
            requireValid(what + ": the certificate in " + file, certificate);
        }
        return valid;
    }

    private static Collection<? extends Certificate> parse(String what, Path file) throws TransportException {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(read(what, file)));
        } catch (CertificateException unreadable) {
            throw new TransportException(
                    what + ": " + file + " has no certificate in PEM: " + Reasons.root(unreadable), unreadable);
        }
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
