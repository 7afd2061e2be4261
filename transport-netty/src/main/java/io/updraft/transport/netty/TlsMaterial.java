package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;

/**
 * What was in the files.
 *
 * @param client who this side is towards those that it connects to, and whom of them it trusts
 * @param server the same for those that connect to it
 */
record TlsMaterial(Identity client, Identity server) {

    /**
     * Who somebody is, and whom he trusts.
     *
     * @param key the private key
     * @param chain the certificates that this side shows, its own first
     * @param trust certificates of those who sign the peers' certificates
     */
    record Identity(PrivateKey key, X509Certificate[] chain, X509Certificate[] trust) {}

    static void requireValid(String which, X509Certificate certificate) throws TransportException {
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
