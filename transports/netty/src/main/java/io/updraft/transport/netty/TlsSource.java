package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Files with certificates and keys, which may change while the transport runs. */
record TlsSource(List<Path> files, Loader loader) {

    /** Reads the files. The message of the exception names the key of the configuration and the file. */
    @FunctionalInterface
    interface Loader {

        Contents load() throws TransportException;
    }

    /**
     * The contents of the files.
     *
     * @param client this side's identity for connections that it opens, with the authorities that it trusts there
     * @param server the same for connections that it accepts
     */
    record Contents(Identity client, Identity server) {}

    /**
     * An identity with its trusted authorities.
     *
     * @param chain the certificate chain that this side shows, beginning with its own certificate
     * @param trust the certificates of the authorities that sign the peers' certificates
     */
    record Identity(PrivateKey key, X509Certificate[] chain, X509Certificate[] trust) {}

    /**
     * Returns the state of the files, without their contents: for each file its time of change, size and identity, or the
     * reason why these cannot be read. If the state is a different one, the files may have changed.
     */
    List<String> stamp() {
        return files.stream().map(TlsSource::stamp).toList();
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
            return seen.lastModifiedTime() + " " + seen.size() + " " + seen.fileKey();
        } catch (IOException missing) {
            return missing.toString();
        }
    }

    static void requireValid(String description, X509Certificate... certificates) throws TransportException {
        for (X509Certificate certificate : certificates) {
            try {
                certificate.checkValidity();
            } catch (CertificateExpiredException expired) {
                throw new TransportException(
                        description + " expired on " + certificate.getNotAfter().toInstant() + ": renew it", expired);
            } catch (CertificateNotYetValidException early) {
                throw new TransportException(
                        description + " is not valid before "
                                + certificate.getNotBefore().toInstant() + ": check the clock",
                        early);
            }
        }
    }
}
