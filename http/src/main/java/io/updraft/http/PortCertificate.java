package io.updraft.http;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.updraft.base.pem.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of a port with TLS 1.2 or 1.3. New connections use a renewed certificate: the files are read again when they
 * have changed, at most once a second. If the new files cannot be used, the previous certificate stays in use. After its creation
 * it belongs to the thread of the connections.
 */
public final class PortCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(PortCertificate.class);
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path certificate;
    private final Path key;
    private SslContext context;

    /** The {@link #changeTimes} of the files in use. */
    private List<Long> times;

    private long lookedNanos = System.nanoTime();
    private boolean warned;

    private PortCertificate(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * Reads a certificate and its key.
     *
     * @param certificate a file with the certificate and those of its authorities, in PEM
     * @param key a file with the unencrypted private key, in PKCS#8 and PEM
     * @return the certificate
     * @throws IOException when the files cannot be used; the message is one line for users
     */
    public static PortCertificate read(Path certificate, Path key) throws IOException {
        PortCertificate read = new PortCertificate(certificate, key);
        read.times = read.changeTimes();
        read.context = read.load();
        return read;
    }

    private SslContext load() throws IOException {
        X509Certificate[] chain = PemFiles.certificates(certificate);
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            throw new IOException("the certificate in " + certificate + " cannot be used: " + e.getMessage(), e);
        }
        return SslContextBuilder.forServer(PemFiles.key(key, chain[0], certificate), chain)
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .build();
    }

    /** Returns when the files were changed, in milliseconds; 0 for a file that is missing. */
    private List<Long> changeTimes() {
        return List.of(certificate.toFile().lastModified(), key.toFile().lastModified());
    }

    /**
     * Adds TLS to a new connection.
     *
     * @param channel the connection, without handlers
     */
    public void addTo(Channel channel) {
        if (System.nanoTime() - lookedNanos >= LOOK_EVERY_NANOS) {
            lookedNanos = System.nanoTime();
            renew();
        }
        channel.pipeline().addLast(context.newHandler(channel.alloc()));
    }

    private void renew() {
        List<Long> now = changeTimes();
        if (now.equals(times)) {
            return;
        }
        try {
            context = load();
            times = now;
            warned = false;
            LOG.info("the certificate in {} is renewed", certificate);
        } catch (IOException e) {
            if (!warned) {
                LOG.warn(
                        "cannot renew the certificate in {}: {}; the previous one stays in use",
                        certificate,
                        e.getMessage());
            }
            warned = true;
        }
    }
}
