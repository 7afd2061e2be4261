package io.updraft.cli.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** The certificate of a port with TLS 1.2 or 1.3. */
public final class PortCertificate {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final SslContext context;

    private PortCertificate(SslContext context) {
        this.context = context;
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
        X509Certificate[] chain = chain(certificate);
        PublicKey certified = chain[0].getPublicKey();
        PrivateKey secret = key(key, certified.getAlgorithm());
        try {
            if (!belongTogether(secret, certified)) {
                throw new IOException("the key in " + key + " does not belong to the certificate in " + certificate);
            }
            return new PortCertificate(SslContextBuilder.forServer(secret, chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build());
        } catch (GeneralSecurityException e) {
            throw new IOException("the key in " + key + " cannot be used: " + e.getMessage(), e);
        }
    }

    SslContext context() {
        return context;
    }

    private static X509Certificate[] chain(Path file) throws IOException {
        X509Certificate[] chain;
        try {
            chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(file)))
                    .toArray(X509Certificate[]::new);
            if (chain.length > 0) {
                chain[0].checkValidity();
                return chain;
            }
        } catch (CertificateException e) {
            throw new IOException("the certificate in " + file + " cannot be used: " + e.getMessage(), e);
        }
        throw new IOException(file + " has no certificate in PEM");
    }

    private static PrivateKey key(Path file, String algorithm) throws IOException {
        String text = new String(bytes(file), StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " has no unencrypted private key in PKCS#8 and PEM; convert the key with"
                    + " openssl pkcs8 -topk8 -nocrypt");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException("the key in " + file + " is no key for a certificate with " + algorithm, e);
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        byte[] text = "any text".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        return signature.verify(signed);
    }

    private static byte[] bytes(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + " (" + e.getClass().getSimpleName() + ")", e);
        }
    }
}
