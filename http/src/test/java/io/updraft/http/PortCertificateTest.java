package io.updraft.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.updraft.base.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortCertificateTest {
    @TempDir
    Path directory;

    private static X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=console")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void shouldSayWhichFileIsWrong() throws Exception {
        X509Bundle bundle = certificate();
        Path cert = write("cert.pem", bundle.getCertificatePathPEM());
        Path key = write("key.pem", bundle.getPrivateKeyPEM());
        Path other = write("other.pem", certificate().getPrivateKeyPEM());
        Path rsa = write(
                "rsa.pem",
                new CertificateBuilder()
                        .rsa2048()
                        .subject("CN=x")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getPrivateKeyPEM());
        Path text = write("text.pem", "no PEM");
        Path missing = directory.resolve("missing");
        assertComplaint(missing, key, "there is no file .*missing");
        assertComplaint(cert, missing, "there is no file .*missing");
        assertComplaint(directory, key, "cannot read .*");
        assertComplaint(text, key, "(the certificate in )?.*text.pem .*");
        assertComplaint(cert, text, ".*text.pem has no unencrypted private key.*");
        assertComplaint(cert, cert, ".*cert.pem has no unencrypted private key.*");
        assertComplaint(cert, other, "the key in .*other.pem does not belong to the certificate in .*cert.pem");
        assertComplaint(cert, rsa, "the key in .*rsa.pem is no key for a certificate with EC");
        Path expired = write(
                "expired.pem",
                new CertificateBuilder()
                        .ecp256()
                        .subject("CN=x")
                        .setIsCertificateAuthority(true)
                        .notBefore(Instant.now().minus(Duration.ofDays(9)))
                        .notAfter(Instant.now().minus(Duration.ofDays(1)))
                        .buildSelfSigned()
                        .getCertificatePathPEM());
        assertComplaint(expired, key, "the certificate in .*expired.pem cannot be used: .*");
    }

    @Test
    void shouldUseRenewedFilesOnceTheyFitTogether() throws Exception {
        X509Bundle before = certificate();
        Path cert = write("cert.pem", before.getCertificatePathPEM());
        Path key = write("key.pem", before.getPrivateKeyPEM());
        HttpSite site = new HttpSite(Map.of(), HttpFilter.NONE, PortCertificate.read(cert, key), HttpPort.LIMITS);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (HttpPort port = HttpPort.open(anyPort, site)) {
            assertThat(shownBy(port)).isEqualTo(before.getCertificate());
            X509Bundle after = certificate();
            write("key.pem", after.getPrivateKeyPEM());
            Files.setLastModifiedTime(key, FileTime.from(Instant.now().plusSeconds(10)));
            long beginNanos = System.nanoTime();
            while (System.nanoTime() - beginNanos < Duration.ofMillis(1_100).toNanos()) {
                assertThat(shownBy(port)).isEqualTo(before.getCertificate());
            }
            write("cert.pem", after.getCertificatePathPEM());
            Await.until("the new certificate is shown", () -> shownBy(port).equals(after.getCertificate()));
        }
    }

    private static X509Certificate shownBy(HttpPort port) throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port.port())) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private static void assertComplaint(Path certificate, Path key, String line) {
        assertThatThrownBy(() -> PortCertificate.read(certificate, key))
                .isInstanceOf(IOException.class)
                .message()
                .matches(line);
    }
}
