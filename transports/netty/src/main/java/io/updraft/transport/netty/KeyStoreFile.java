package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A key store file: JKS, PKCS#12, or another type that a security provider of this JVM recognizes. It is opened when it is read.
 *
 * @param description the configuration key that names the file, for messages
 */
record KeyStoreFile(String description, Path path, char[] password) {

    /** Reads the only private key of the file, and the trusted certificates of another file. */
    TlsSource.Identity identity(KeyStoreFile trust) throws TransportException {
        try {
            KeyStore store = open();
            List<String> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (isPrivateKey(store, alias)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new TransportException(description + ": " + path + " has " + keys.size()
                        + " keys with certificates: it must have one");
            }
            PrivateKey key = (PrivateKey) store.getKey(keys.get(0), password);
            return new TlsSource.Identity(key, chain(store, keys.get(0)), trust.certificates());
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    /**
     * Whether an entry is a private key with a certificate. Key stores may have other keys, and PKCS#12 allows a private key
     * without a certificate.
     */
    private static boolean isPrivateKey(KeyStore store, String alias) throws KeyStoreException {
        return store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class) && store.getCertificateChain(alias) != null;
    }

    private X509Certificate[] chain(KeyStore store, String alias) throws KeyStoreException, TransportException {
        X509Certificate[] chain = Arrays.stream(store.getCertificateChain(alias))
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
        TlsSource.requireValid(description + ": the certificate in " + path, chain);
        return chain;
    }

    /** Reads all trusted certificates of the file. Expired ones are allowed: a trust store may contain old authorities. */
    X509Certificate[] certificates() throws TransportException {
        try {
            KeyStore store = open();
            List<X509Certificate> trusted = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isCertificateEntry(alias) && store.getCertificate(alias) instanceof X509Certificate x509) {
                    trusted.add(x509);
                }
            }
            if (trusted.isEmpty()) {
                throw new TransportException(description + ": " + path + " has no trusted certificate");
            }
            return trusted.toArray(X509Certificate[]::new);
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    private KeyStore open() throws TransportException {
        if (!Files.exists(path)) {
            throw new TransportException(description + ": there is no file " + path);
        }
        try {
            return KeyStore.getInstance(path.toFile(), password);
        } catch (KeyStoreException unknown) {
            throw new TransportException(description + ": " + path + " is not a key store of a known type", unknown);
        } catch (IOException | GeneralSecurityException closed) {
            throw unusable(closed);
        }
    }

    private TransportException unusable(Exception cause) {
        return new TransportException(
                description + ": " + path + " cannot be used: " + FailureReasons.root(cause), cause);
    }
}
