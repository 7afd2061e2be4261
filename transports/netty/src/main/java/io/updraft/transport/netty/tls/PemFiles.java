package io.updraft.transport.netty.tls;

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
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.stream.Stream;

/**
 * Three PEM files, used for both ends of a connection.
 *
 * @param cert the certificate chain that this side shows, beginning with its own certificate
 * @param key the private key of the certificate
 * @param trust the certificates of the authorities that sign the peers' certificates
 */
record PemFiles(Path cert, Path key, Path trust) implements TlsSource {

    @Override
    public Stream<Path> files() {
        return Stream.of(cert, key, trust);
    }

    @Override
    public TlsMaterial load() throws TransportException {
        X509Certificate[] chain = certificates(Tls.CERT, cert);
        X509Certificate[] trusted = certificates(Tls.TRUST, trust);
        TlsMaterial.Identity identity = new TlsMaterial.Identity(key(key, chain[0]), chain, trusted);
        return new TlsMaterial(identity, identity);
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
            TlsMaterial.requireValid(what + ": the certificate in " + file, certificate);
        }
        return valid;
    }

    private static Collection<? extends Certificate> parse(String what, Path file) throws TransportException {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(read(what, file)));
        } catch (CertificateException unreadable) {
            throw new TransportException(
                    what + ": " + file + " has no certificate in PEM: " + FailureReasons.root(unreadable), unreadable);
        }
    }

    private static byte[] read(String what, Path file) throws TransportException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new TransportException(what + ": there is no file " + file, missing);
        } catch (IOException unreadable) {
            throw new TransportException(
                    what + ": " + file + " cannot be read: " + FailureReasons.thrown(unreadable), unreadable);
        }
    }
}
