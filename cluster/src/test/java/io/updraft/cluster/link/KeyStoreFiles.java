package io.updraft.cluster.link;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.storm.Config;

/** Key stores: somebody with a certificate that he has signed himself, and those who trust him. */
final class KeyStoreFiles {

    private static final String PASSWORD = "open sesame";

    private final Path folder;

    KeyStoreFiles(Path folder) {
        this.folder = folder;
    }

    /** Makes a key, and a store of who trusts it. */
    KeyStoreFiles person(String name) throws Exception {
        return write(name, builder(name).buildSelfSigned());
    }

    /** Makes a key whose certificate has expired. */
    KeyStoreFiles expired(String name) throws Exception {
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

    /** What makes a worker show one person's certificate, and trust another person. */
    Map<String, Object> conf(String self, String trusted) {
        return Map.of(
                Config.STORM_MESSAGING_NETTY_TLS_ENABLE,
                true,
                Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PATH,
                file(self + "-keys"),
                Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PASSWORD,
                PASSWORD,
                Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PATH,
                file(trusted + "-trust"),
                Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PASSWORD,
                PASSWORD);
    }

    private String file(String name) {
        return folder.resolve(name + ".p12").toString();
    }
}
