package io.updraft.transport.netty.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A private key read from PEM. */
final class TlsKey {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private TlsKey() {}

    /**
     * Reads the private key of a certificate.
     *
     * @throws GeneralSecurityException when the bytes are not a key, or the key belongs to another certificate; the message
     *     continues a sentence about the file
     */
    static PrivateKey read(byte[] pem, PublicKey certified) throws GeneralSecurityException {
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
}
