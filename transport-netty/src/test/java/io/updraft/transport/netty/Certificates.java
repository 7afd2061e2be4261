package io.updraft.transport.netty;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Certificates and keys made for one test.
 *
 * @param authority who signs
 * @param member who is signed
 */
record Certificates(X509Bundle authority, X509Bundle member) {

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
