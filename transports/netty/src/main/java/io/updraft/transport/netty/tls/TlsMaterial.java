package io.updraft.transport.netty.tls;

import io.updraft.transport.TransportException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;

/**
 * The contents of the files.
 *
 * @param client this side's identity for connections that it opens, with the authorities that it trusts there
 * @param server the same for connections that it accepts
 */
record TlsMaterial(Identity client, Identity server) {

    /**
     * An identity with its trusted authorities.
     *
     * @param key the private key
     * @param chain the certificate chain that this side shows, beginning with its own certificate
     * @param trust the certificates of the authorities that sign the peers' certificates
     */
    record Identity(PrivateKey key, X509Certificate[] chain, X509Certificate[] trust) {}

    static void requireValid(String which, X509Certificate certificate) throws TransportException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException expired) {
            throw new TransportException(
                    which + " expired on " + certificate.getNotAfter().toInstant() + ": renew it", expired);
        } catch (CertificateNotYetValidException early) {
            throw new TransportException(
                    which + " is not valid before " + certificate.getNotBefore().toInstant() + ": check the clock",
                    early);
        }
    }
}
