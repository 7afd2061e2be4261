package io.updraft.transport.netty;

import io.updraft.base.pem.PemFiles;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** The certificates and the private key of a connection, in PEM files. */
final class PemSource {
    private PemSource() {}

    /**
     * Returns three files, used for both ends of a connection.
     *
     * @param cert the certificate chain that this side shows, beginning with its own certificate
     * @param key the private key of the certificate
     * @param trust the certificates of the authorities that sign the peers' certificates
     */
    static TlsSource of(Path cert, Path key, Path trust) {
        return new TlsSource(List.of(cert, key, trust), () -> {
            X509Certificate[] chain = certificates(Tls.CERT, cert);
            X509Certificate[] trusted = certificates(Tls.TRUST, trust);
            PrivateKey secret = read(Tls.KEY, () -> PemFiles.key(key, chain[0], cert));
            TlsSource.Identity identity = new TlsSource.Identity(secret, chain, trusted);
            return new TlsSource.Contents(identity, identity);
        });
    }

    private static X509Certificate[] certificates(String setting, Path file) throws TransportException {
        X509Certificate[] certificates = read(setting, () -> PemFiles.certificates(file));
        TlsSource.requireValid(setting + ": the certificate in " + file, certificates);
        return certificates;
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T read(String setting, Reading<T> reading) throws TransportException {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new TransportException(setting + ": " + e.getMessage(), e);
        }
    }
}
