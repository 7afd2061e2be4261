package io.updraft.transport.netty;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.updraft.transport.TransportOptions;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Key stores as in Storm: a holder with a self-signed certificate, and peers that trust it. Used by tests of other modules,
 * too.
 */
public final class KeyStoreFiles {

    private static final String PASSWORD = "open sesame";

    private final Path folder;

    /**
     * Names where the files go.
     *
     * @param folder a directory that is there
     */
    public KeyStoreFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes a key, and a store of who trusts it.
     *
     * @param name whose
     * @return this
     * @throws Exception when it cannot be made
     */
    public KeyStoreFiles person(String name) throws Exception {
        return write(name, builder(name).buildSelfSigned());
    }

    /**
     * Makes a key whose certificate has expired.
     *
     * @param name whose
     * @return this
     * @throws Exception when it cannot be made
     */
    public KeyStoreFiles expired(String name) throws Exception {
        Instant now = Instant.now();
        return write(
                name,
                builder(name)
                        .notBefore(now.minus(Duration.ofDays(9)))
                        .notAfter(now.minus(Duration.ofDays(1)))
                        .buildSelfSigned());
    }

    private static CertificateBuilder builder(String name) {
        return new CertificateBuilder().ecp256().subject("CN=" + name).setIsCertificateAuthority(true);
    }

    private KeyStoreFiles write(String name, X509Bundle person) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(name, person.getKeyPair().getPrivate(), PASSWORD.toCharArray(), person.getCertificatePath());
        store(keys, name + "-keys");
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(name, person.getCertificate());
        store(trust, name + "-trust");
        return this;
    }

    private void store(KeyStore store, String name) throws Exception {
        try (OutputStream out = Files.newOutputStream(Path.of(file(name)))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    /**
     * What makes a worker show one person's certificate, and trust another person.
     *
     * @param self the one
     * @param trusted the other
     * @return a configuration
     */
    public Map<String, Object> conf(String self, String trusted) {
        return Map.of(
                TransportOptions.STORM_TLS,
                true,
                StormTls.KEYSTORE + ".path",
                file(self + "-keys"),
                StormTls.KEYSTORE + ".password",
                PASSWORD,
                StormTls.TRUSTSTORE + ".path",
                file(trusted + "-trust"),
                StormTls.TRUSTSTORE + ".password",
                PASSWORD);
    }

    private String file(String name) {
        return folder.resolve(name + ".p12").toString();
    }
}
