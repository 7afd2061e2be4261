package io.updraft.transport.netty;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Certificates and keys for one test.
 *
 * @param authority the signing authority
 * @param member the holder of the signed certificate
 */
record Certificates(X509Bundle authority, X509Bundle member) {

    static final String PASSWORD = "open sesame";

    /** Somebody who signs. */
    record Authority(X509Bundle bundle) {

        Certificates member(String name) throws Exception {
            return signed(builder(name).addSanDnsName("localhost").addSanIpAddress("127.0.0.1"));
        }

        Certificates memberOfHost(String host) throws Exception {
            return signed(builder(host).addSanDnsName(host));
        }

        Certificates expiredMember(String name) throws Exception {
            return signed(builder(name)
                    .addSanIpAddress("127.0.0.1")
                    .notBefore(Instant.now().minus(Duration.ofDays(9)))
                    .notAfter(Instant.now().minus(Duration.ofDays(1))));
        }

        private Certificates signed(CertificateBuilder builder) throws Exception {
            return new Certificates(bundle, builder.buildIssuedBy(bundle));
        }
    }

    static Authority authority(String name) throws Exception {
        return new Authority(builder(name).setIsCertificateAuthority(true).buildSelfSigned());
    }

    private static CertificateBuilder builder(String name) {
        return new CertificateBuilder().ecp256().subject("CN=" + name);
    }

    /** Writes the files, and gives the configuration that names them. */
    Map<String, Object> writeTo(Path folder) throws IOException {
        Files.writeString(folder.resolve("cert.pem"), member.getCertificatePathPEM());
        Files.writeString(folder.resolve("key.pem"), member.getPrivateKeyPEM());
        Files.writeString(folder.resolve("trust.pem"), authority.getCertificatePEM());
        Map<String, Object> conf = new HashMap<>();
        conf.put(Tls.ENABLED, true);
        conf.put(Tls.CERT, folder.resolve("cert.pem").toString());
        conf.put(Tls.KEY, folder.resolve("key.pem").toString());
        conf.put(Tls.TRUST, folder.resolve("trust.pem").toString());
        return conf;
    }

    /** Writes key stores as Storm has them, and gives the configuration that names them with Storm's keys. */
    Map<String, Object> writeStoresTo(Path folder) throws Exception {
        Map<String, Object> conf = new HashMap<>();
        conf.put(TransportOptions.STORM_TLS, true);
        KeyStore keys = KeyStore.getInstance("JKS");
        keys.load(null, null);
        keys.setKeyEntry(
                "worker", member.getKeyPair().getPrivate(), PASSWORD.toCharArray(), member.getCertificatePath());
        put(conf, StormTls.KEYSTORE, keys, folder.resolve("keys.jks"));
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("authority", authority.getCertificate());
        put(conf, StormTls.TRUSTSTORE, trust, folder.resolve("trust.p12"));
        return conf;
    }

    private static void put(Map<String, Object> conf, String name, KeyStore store, Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        conf.put(name + ".path", file.toString());
        conf.put(name + ".password", PASSWORD);
    }

    /** What a peer that is not ours uses; without a member it shows no certificate. */
    SSLContext context() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(
                member == null ? null : member.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }
}
