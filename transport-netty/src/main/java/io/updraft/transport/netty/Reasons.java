package io.updraft.transport.netty;

import io.netty.handler.ssl.NotSslRecordException;
import io.updraft.transport.TransportOptions;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says in one line for people what went wrong. The JDK's own words are all there is to tell failures of TLS apart. */
final class Reasons {

    private Reasons() {}

    /** Why a channel to a peer has closed or did not come about. */
    static String of(String peer, Throwable failure) {
        NotSslRecordException plain = find(failure, NotSslRecordException.class);
        if (plain != null) {
            return peer + " does not speak TLS, and here it is demanded: set " + Tls.ENABLED + " (in Storm's words "
                    + TransportOptions.STORM_TLS + ") at both ends or at none";
        }
        if (find(failure, CertificateExpiredException.class) != null) {
            return "the certificate of " + peer + " has expired: renew it there (" + Tls.CERT
                    + ", or Storm's keystore)";
        }
        if (find(failure, CertificateNotYetValidException.class) != null) {
            return "the certificate of " + peer + " is not valid yet: compare the clocks of both machines";
        }
        if (find(failure, SSLException.class) != null) {
            return ofTls(peer, root(failure));
        }
        if (find(failure, UnknownHostException.class) != null) {
            return peer + ": the name of the host is unknown";
        }
        return peer + ": " + root(failure);
    }

    private static String ofTls(String peer, String message) {
        if (message.contains("certification path") || message.contains("trust anchor")) {
            return "the certificate of " + peer + " is not trusted: whoever signed it is not in the file of "
                    + Tls.TRUST + ", or in Storm's truststore";
        }
        if (message.contains("subject alternative") || message.contains("matching")) {
            return "the certificate of " + peer + " names other hosts (" + message + "): see " + Tls.VERIFY_HOST;
        }
        if (message.toLowerCase(Locale.ROOT).contains("empty client certificate")) {
            return peer + " has shown no certificate that is trusted here: see its " + Tls.CERT + ", and " + Tls.TRUST
                    + " here, or Storm's key stores";
        }
        if (message.contains("fatal alert")) {
            return peer + " has refused TLS (" + message + "): its log says why";
        }
        return "TLS with " + peer + " has failed: " + message;
    }

    /** The innermost message, on one line; an exception without one has at least a name. */
    static String root(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        return message == null || message.isBlank()
                ? innermost.getClass().getSimpleName()
                : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** What code of ours or of the user's has thrown. */
    static String thrown(Throwable failure) {
        return String.valueOf(failure).strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static <T extends Throwable> T find(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
