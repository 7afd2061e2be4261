package io.updraft.base.pem;

import io.updraft.base.text.OneLine;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM files (RFC 7468). Failures have one line for users, which names the file. */
public final class PemFiles {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private PemFiles() {}

    /**
     * Reads certificates. Their validity is not checked.
     *
     * @param file the file
     * @return the certificates in their order, at least one
     * @throws IOException when the file has no certificate or cannot be read
     */
    public static X509Certificate[] certificates(Path file) throws IOException {
        try {
            X509Certificate[] certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(file)))
                    .toArray(X509Certificate[]::new);
            if (certificates.length > 0) {
                return certificates;
            }
        } catch (CertificateException e) {
            throw new IOException(file + " has no certificate in PEM: " + OneLine.of(e), e);
        }
        throw new IOException(file + " has no certificate in PEM");
    }

    /**
     * Reads the private key of a certificate.
     *
     * @param file the file with the unencrypted private key, in PKCS#8
     * @param certificate the certificate
     * @param certificateFile the file of the certificate, for messages
     * @return the key
     * @throws IOException when the file has no such key or cannot be read, or the key belongs to another certificate
     */
    public static PrivateKey key(Path file, X509Certificate certificate, Path certificateFile) throws IOException {
        Matcher found = KEY.matcher(new String(bytes(file), StandardCharsets.ISO_8859_1));
        if (!found.find()) {
            throw new IOException(file + " has no unencrypted private key in PKCS#8 and PEM; convert the key with"
                    + " openssl pkcs8 -topk8 -nocrypt");
        }
        PublicKey certified = certificate.getPublicKey();
        PrivateKey key = decode(file, found.group(1), certified.getAlgorithm());
        try {
            if (belongTogether(key, certified)) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the key in " + file + " cannot be used: " + e.getMessage(), e);
        }
        throw new IOException("the key in " + file + " does not belong to the certificate in " + certificateFile);
    }

    private static PrivateKey decode(Path file, String base64, String algorithm) throws IOException {
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(base64);
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException("the key in " + file + " is no key for a certificate with " + algorithm, e);
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
