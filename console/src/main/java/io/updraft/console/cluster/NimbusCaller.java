package io.updraft.console.cluster;

import io.updraft.base.text.OneLine;
import io.updraft.storm.text.FailureMessages;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;

/**
 * Calls Nimbus. Reads keep one connection, which is opened again after a failure; they are for one thread at a time. An order has
 * a connection of its own and is never repeated.
 *
 * <p>What Nimbus refuses, or fails to do, is an {@link IllegalArgumentException}; a Nimbus that does not answer is an {@link IOException}. Both have
 * one line for the user.
 */
final class NimbusCaller implements AutoCloseable {
    private static final String NOT_SENT = ". Nothing was done";
    private static final String UNKNOWN = ". Nimbus may do it or not: look before you repeat it";

    private final NimbusOpener opener;

    /** The connection for reads; null before the first read and after a failure. */
    private NimbusOpener.Connection open;

    NimbusCaller(NimbusOpener opener) {
        this.opener = opener;
    }

    String address() {
        return opener.address();
    }

    <T> T read(NimbusCall<T> call) throws IOException {
        boolean reused = open != null;
        try {
            if (!reused) {
                open = opener.open();
            }
            T answer = call.on(open.nimbus());
            if (answer instanceof ClusterSummary cluster && hasMoved(cluster, open.leader())) {
                close();
            }
            return answer;
        } catch (TException | RuntimeException e) {
            IOException failure = failure(e);
            close();
            // Nimbus may have been restarted since the last read. After a timeout, it would only be waited for twice.
            if (reused && e instanceof TTransportException && !isTimeout(e)) {
                return read(call);
            }
            throw failure;
        }
    }

    /** Whether there is a leader, but another one. */
    private static boolean hasMoved(ClusterSummary cluster, String leader) {
        return cluster.get_nimbuses().stream()
                .filter(NimbusSummary::is_isLeader)
                .anyMatch(nimbus ->
                        !ClusterJson.name(nimbus.get_host(), nimbus.get_port()).equals(leader));
    }

    <T> T order(NimbusCall<T> call) throws IOException {
        boolean sent = false;
        try (NimbusOpener.Connection connection = opener.open()) {
            sent = true;
            return call.on(connection.nimbus());
        } catch (TException | RuntimeException e) {
            IOException failure = failure(e);
            throw new IOException(failure.getMessage() + (sent ? UNKNOWN : NOT_SENT), failure);
        }
    }

    /** Returns the failure of a connection or of Nimbus. Throws the refusal of a call. */
    IOException failure(Exception e) {
        if (e instanceof NimbusUnavailableException none) {
            none.failures().forEach(failure -> checkRefusal(failure.cause()));
            return new IOException(describe(none), e);
        }
        checkRefusal(e);
        return new IOException(at(opener.address(), e), e);
    }

    /** Throws the refusal of a call, if the exception is one. */
    private static void checkRefusal(Exception e) {
        if (e instanceof NotAliveException refusal) {
            throw new IllegalArgumentException("Nimbus: " + refusal.get_msg(), e);
        }
        if (e instanceof AuthorizationException refusal) {
            throw new IllegalArgumentException("Nimbus does not permit this: " + refusal.get_msg(), e);
        }
        if (e instanceof InvalidTopologyException refusal) {
            throw new IllegalArgumentException("Nimbus: " + refusal.get_msg(), e);
        }
        if (e instanceof TApplicationException) {
            throw new IllegalArgumentException(
                    "Nimbus has failed (" + OneLine.first(e.getMessage()) + "); its log says why", e);
        }
    }

    /** What the daemons that answer say of their leader; else why each of them cannot be used. */
    private static String describe(NimbusUnavailableException none) {
        Map<String, List<String>> addresses = new LinkedHashMap<>();
        for (NimbusUnavailableException.Failure failure : none.failures()) {
            if (failure.cause() instanceof NoLeaderException leaderless) {
                return leaderless.address() == null
                        ? "Nimbus has no leader at the moment"
                        : "the leading " + at(leaderless.address(), leaderless.getCause());
            }
            addresses
                    .computeIfAbsent(verdict(failure.cause()), added -> new ArrayList<>())
                    .add(failure.address());
        }
        return addresses.entrySet().stream()
                .map(same -> "Nimbus at " + String.join(", ", same.getValue()) + " " + same.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String at(String address, Throwable e) {
        return "Nimbus at " + address + " " + verdict(e);
    }

    private static String verdict(Throwable e) {
        if (isTimeout(e)) {
            return "does not answer in time";
        }
        if (FailureMessages.find(e, UnknownHostException.class) != null) {
            return "cannot be reached: there is no such host";
        }
        ConnectException refused = FailureMessages.find(e, ConnectException.class);
        if (refused != null) {
            return "cannot be reached: " + refused.getMessage();
        }
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (isClosed(root)) {
            return "has closed the connection; does it need another security plug-in (nimbus.thrift.transport)?";
        }
        return FailureMessages.find(e, TTransportException.class) == null
                ? "failed: " + FailureMessages.oneLine(FailureMessages.meaningOf(e))
                : "cannot be used: the login fails: " + loginFailure(root);
    }

    private static boolean isClosed(Throwable root) {
        return root instanceof SocketException
                || root instanceof EOFException
                || root instanceof TTransportException transport
                        && (transport.getType() == TTransportException.END_OF_FILE || transport.getMessage() == null);
    }

    /** The reason of a security plug-in of this side, or of Nimbus. */
    private static String loginFailure(Throwable root) {
        String message =
                String.valueOf(root.getMessage()).replaceAll("\\s+", " ").strip();
        if (message.endsWith("Mismatched response.")) {
            return "wrong password"; // So does DIGEST-MD5 say it.
        }
        return root instanceof TTransportException
                ? message.replaceFirst("^Peer indicated failure: ", "")
                : root.getClass().getSimpleName() + ": " + message;
    }

    private static boolean isTimeout(Throwable e) {
        return FailureMessages.find(e, SocketTimeoutException.class) != null
                || e instanceof TTransportException transport && transport.getType() == TTransportException.TIMED_OUT;
    }

    /** Closes the connection for reads. The next read opens it again. */
    @Override
    public void close() {
        NimbusOpener.Connection closing = open;
        open = null;
        if (closing != null) {
            closing.close();
        }
    }
}
