package io.updraft.transport.netty;

import io.netty.handler.ssl.NotSslRecordException;
import io.updraft.base.text.OneLine;
import io.updraft.transport.TransportOptions;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Describes a failure in one readable line. The JDK's messages are the only way to distinguish TLS failures. */
final class FailureReasons {

    private FailureReasons() {}

    /** Describes why a channel to a peer has closed or could not be opened. */
    public static String of(String peer, Throwable failure) {
        if (has(failure, NotSslRecordException.class)) {
            return peer + " does not speak TLS, but this side requires it: set " + Tls.ENABLED + " (Storm's key: "
                    + TransportOptions.STORM_TLS + ") to the same value at both ends";
        }
        if (has(failure, CertificateExpiredException.class)) {
            return "the certificate of " + peer + " has expired: renew it there (" + Tls.CERT
                    + ", or Storm's keystore)";
        }
        if (has(failure, CertificateNotYetValidException.class)) {
            return "the certificate of " + peer + " is not valid yet: compare the clocks of both machines";
        }
        if (has(failure, SSLException.class)) {
            return ofTls(peer, root(failure));
        }
        if (has(failure, UnknownHostException.class)) {
            return peer + ": the host name is unknown";
        }
        return peer + ": " + root(failure);
    }

    private static String ofTls(String peer, String message) {
        if (message.contains("certification path") || message.contains("trust anchor")) {
            return "the certificate of " + peer + " is not trusted: its authority is not in the file of " + Tls.TRUST
                    + ", or in Storm's truststore";
        }
        if (message.contains("subject alternative") || message.contains("matching")) {
            return "the certificate of " + peer + " names other hosts (" + message + "): see " + Tls.VERIFY_HOST;
        }
        if (message.toLowerCase(Locale.ROOT).contains("empty client certificate")) {
            return peer + " has shown no certificate trusted by this side: check its " + Tls.CERT + ", and " + Tls.TRUST
                    + " of this side, or Storm's key stores";
        }
        if (message.contains("fatal alert")) {
            return peer + " has refused TLS (" + message + "): its log says why";
        }
        return "TLS with " + peer + " has failed: " + message;
    }

    /** Returns the innermost message on one line, or the name of an exception without a message. */
    public static String root(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return OneLine.of(innermost);
    }

    /** Returns an exception that code has thrown, on one line. */
    public static String thrown(Throwable failure) {
        return OneLine.of(String.valueOf(failure));
    }

    private static boolean has(Throwable failure, Class<?> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }
}
