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

/** A file of keys and certificates: JKS, PKCS#12, or whatever else a security provider of this JVM can tell by looking at it. */
final class KeyStoreFile {

    /**
     * A key and the certificates that go with it.
     *
     * @param key the private key
     * @param chain its certificate first
     */
    record Entry(PrivateKey key, X509Certificate[] chain) {}

    private final String what;
    private final Path path;
    private final char[] password;

    /**
     * Names a file.
     *
     * @param what the key of the configuration that names it, for people
     * @param path where it is
     * @param password opens it, and the key in it
     */
    KeyStoreFile(String what, Path path, String password) {
        this.what = what;
        this.path = path;
        this.password = password.toCharArray();
    }

    Path path() {
        return path;
    }

    /** The only key in it. */
    Entry entry() throws TransportException {
        try {
            KeyStore store = open();
            List<String> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (isPrivateKey(store, alias)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new TransportException(
                        what + ": " + path + " has " + keys.size() + " keys with certificates: it must have one");
            }
            return entry(store, keys.get(0));
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    /** Keys of other kinds may be among them, and in PKCS#12 a private one need not have a certificate. */
    private static boolean isPrivateKey(KeyStore store, String alias) throws KeyStoreException {
        return store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class) && store.getCertificateChain(alias) != null;
    }

    private Entry entry(KeyStore store, String alias) throws GeneralSecurityException, TransportException {
        X509Certificate[] chain = Arrays.stream(store.getCertificateChain(alias))
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
        for (X509Certificate certificate : chain) {
            TlsMaterial.requireValid(what + ": the certificate in " + path, certificate);
        }
        return new Entry((PrivateKey) store.getKey(alias, password), chain);
    }

    /** All certificates in it that are trusted. Old authorities may be among them: it is not for them that they are there. */
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
                throw new TransportException(what + ": " + path + " has no certificate of anybody to trust");
            }
            return trusted.toArray(X509Certificate[]::new);
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    private KeyStore open() throws TransportException {
        if (!Files.exists(path)) {
            throw new TransportException(what + ": there is no file " + path);
        }
        try {
            return KeyStore.getInstance(path.toFile(), password);
        } catch (KeyStoreException unknown) {
            throw new TransportException(what + ": " + path + " is no key store that is known here", unknown);
        } catch (IOException | GeneralSecurityException closed) {
            throw unusable(closed);
        }
    }

    private TransportException unusable(Exception why) {
        return new TransportException(what + ": " + path + " cannot be used: " + Reasons.root(why), why);
    }
}
