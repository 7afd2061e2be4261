package io.updraft.console.cluster;

import io.updraft.base.text.OneLine;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
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
            return call.on(open.nimbus());
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

    <T> T order(NimbusCall<T> call) throws IOException {
        try (NimbusOpener.Connection connection = opener.open()) {
            return call.on(connection.nimbus());
        } catch (TException | RuntimeException e) {
            throw failure(e);
        }
    }

    /** Returns the failure of a connection or of Nimbus. Throws the refusal of a call. */
    private IOException failure(Exception e) {
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
        return new IOException("Nimbus at " + opener.address() + " " + verdict(e), e);
    }

    private static String verdict(Exception e) {
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
        if (e instanceof TTransportException) {
            return "has closed the connection; does it need a security plug-in (nimbus.thrift.transport)?";
        }
        return "failed: " + FailureMessages.oneLine(FailureMessages.meaningOf(e));
    }

    private static boolean isTimeout(Exception e) {
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
