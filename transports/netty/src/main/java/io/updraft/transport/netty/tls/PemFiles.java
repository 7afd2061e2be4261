package io.updraft.transport.netty.tls;

import io.updraft.transport.TransportException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and a private key in PEM files. */
final class PemFiles {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private PemFiles() {}

    /**
     * Returns three files, used for both ends of a connection.
     *
     * @param cert the certificate chain that this side shows, beginning with its own certificate
     * @param key the private key of the certificate
     * @param trust the certificates of the authorities that sign the peers' certificates
     */
    static TlsSource source(Path cert, Path key, Path trust) {
        return new TlsSource(List.of(cert, key, trust), () -> {
            X509Certificate[] chain = certificates(Tls.CERT, cert);
            X509Certificate[] trusted = certificates(Tls.TRUST, trust);
            TlsSource.Identity identity = new TlsSource.Identity(key(key, chain[0]), chain, trusted);
            return new TlsSource.Contents(identity, identity);
        });
    }

    private static PrivateKey key(Path file, X509Certificate certificate) throws TransportException {
        try {
            return key(read(Tls.KEY, file), certificate.getPublicKey());
        } catch (GeneralSecurityException unusable) {
            throw new TransportException(Tls.KEY + ": " + file + " " + unusable.getMessage(), unusable);
        }
    }

    /**
     * Reads the private key of a certificate.
     *
     * @throws GeneralSecurityException when the bytes are not a key, or the key belongs to another certificate; the message
     *     continues a sentence about the file
     */
    private static PrivateKey key(byte[] pem, PublicKey certified) throws GeneralSecurityException {
        Matcher found = PEM.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        if (!found.find()) {
            throw new InvalidKeyException("has no unencrypted private key in PKCS#8 and PEM; "
                    + "convert the key with openssl pkcs8 -topk8 -nocrypt");
        }
        PrivateKey key = decode(found.group(1), certified.getAlgorithm());
        if (!belongTogether(key, certified)) {
            throw new InvalidKeyException("does not belong to the certificate: use the key of the certificate");
        }
        return key;
    }

    private static PrivateKey decode(String base64, String algorithm) throws GeneralSecurityException {
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(base64);
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | GeneralSecurityException other) {
            throw new InvalidKeyException(
                    "is not a key for the certificate's algorithm, " + algorithm + ": " + FailureReasons.root(other),
                    other);
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        byte[] text = "a text to sign".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(signatureBy(key.getAlgorithm()));
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        return signature.verify(signed);
    }

    private static String signatureBy(String algorithm) {
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm;
        };
    }

    private static X509Certificate[] certificates(String what, Path file) throws TransportException {
        X509Certificate[] certificates;
        try {
            certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(read(what, file)))
                    .toArray(X509Certificate[]::new);
        } catch (CertificateException unreadable) {
            throw new TransportException(
                    what + ": " + file + " has no certificate in PEM: " + FailureReasons.root(unreadable), unreadable);
        }
        if (certificates.length == 0) {
            throw new TransportException(what + ": " + file + " has no certificate in PEM");
        }
        TlsSource.requireValid(what + ": the certificate in " + file, certificates);
        return certificates;
    }

    private static byte[] read(String what, Path file) throws TransportException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new TransportException(what + ": there is no file " + file, missing);
        } catch (IOException unreadable) {
            throw new TransportException(
                    what + ": " + file + " cannot be read: " + FailureReasons.thrown(unreadable), unreadable);
        }
    }
}
