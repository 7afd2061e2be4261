package io.updraft.observe.inspection;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.base.json.JsonObject;
import io.updraft.base.text.OneLine;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.observe.inspection.TimedChannel.LongLineException;
import io.updraft.observe.profile.Profiler;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests on a UNIX domain socket. A connection carries one request, a JSON object on one line, and one answer, a JSON
 * object. The member {@code request} names the kind of the request. An answer with the member {@code error} says in one line why
 * there is no other.
 *
 * <p>Who may enter the socket's directory may ask. All threads are daemons. A client that sends nothing, or reads nothing, is
 * disconnected after some seconds; a failing request does not harm the process.
 */
public final class InspectionServer implements Closeable {
    /** The member of a request with its kind. */
    public static final String REQUEST = "request";

    /** The member of an answer that says why there is no other. */
    public static final String ERROR = "error";

    private static final Logger LOG = LoggerFactory.getLogger(InspectionServer.class);
    private static final int MAX_CONNECTIONS = 8;
    private static final int MAX_REQUEST_BYTES = 64 * 1024;
    private static final Duration READ_LIMIT = Duration.ofSeconds(5);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 100;
    private static final long LAST_ANSWERS_MILLIS = 500;

    private final Path path;
    private final ServerSocketChannel socket;
    private final Map<String, RequestHandler> handlers;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);

    private InspectionServer(Path path, ServerSocketChannel socket, Map<String, RequestHandler> handlers) {
        this.path = path;
        this.socket = socket;
        this.handlers = Map.copyOf(handlers);
    }

    /**
     * Creates the socket and starts to answer.
     *
     * @param path the path of the socket, in a directory that only the owner may enter
     * @param handlers the handlers by kind of request
     * @return the server
     * @throws IOException when there can be no socket
     */
    public static InspectionServer open(Path path, Map<String, RequestHandler> handlers) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            socket.bind(UnixDomainSocketAddress.of(path));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw new IOException("cannot create a socket at " + path + " (" + e.getMessage() + ")", e);
        }
        InspectionServer server = new InspectionServer(path, socket, handlers);
        DaemonThreads.start("updraft-inspection", server::acceptAll);
        return server;
    }

    private void acceptAll() {
        while (socket.isOpen()) {
            try {
                SocketChannel peer = socket.accept();
                if (connections.tryAcquire()) {
                    start(peer);
                } else {
                    peer.close();
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException | OutOfMemoryError e) {
                // Too many open files, or no thread: later there may be one.
                LOG.warn("cannot accept a connection at {}: {}", path, e.toString());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(SocketChannel peer) throws IOException {
        boolean started = false;
        try {
            DaemonThreads.start("updraft-inspection-request", () -> serveAndRelease(peer));
            started = true;
        } finally {
            if (!started) {
                connections.release();
                peer.close();
            }
        }
    }

    private void serveAndRelease(SocketChannel peer) {
        try {
            serve(peer);
        } catch (IOException e) {
            LOG.debug("a client was disconnected: {}", e.toString());
        } catch (Throwable e) {
            // Even without memory: a question must not end the process.
            LOG.warn("a request could not be answered", e);
        } finally {
            connections.release();
        }
    }

    private void serve(SocketChannel peer) throws IOException {
        try (TimedChannel channel = new TimedChannel(peer)) {
            JsonObject answer;
            try {
                answer = answer(
                        channel.readLine(MAX_REQUEST_BYTES, READ_LIMIT),
                        () -> socket.isOpen() && !channel.isPeerGone());
            } catch (LongLineException e) {
                answer = error("the request is " + e.getMessage());
            }
            channel.writeLine(Json.write(answer), WRITE_LIMIT);
        }
    }

    private JsonObject answer(String line, BooleanSupplier isWanted) {
        try {
            return answer(Json.readObject(line), isWanted);
        } catch (JsonException e) {
            return error("the request is " + e.getMessage());
        }
    }

    private JsonObject answer(JsonObject request, BooleanSupplier isWanted) {
        RequestHandler handler = handlers.get(String.valueOf(request.get(REQUEST)));
        if (handler == null) {
            return error("this process does not answer the request '" + request.get(REQUEST) + "'");
        }
        try {
            return handler.answer(request, isWanted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return error("interrupted");
        } catch (Exception | StackOverflowError | LinkageError e) {
            LOG.debug("request {} has failed", request.get(REQUEST), e);
            return error(OneLine.of(e));
        }
    }

    private static JsonObject error(String message) {
        return JsonObject.of(ERROR, message);
    }

    /** Ends a profile that is being taken, and answers the requests that are under way, for a short time. */
    @Override
    public void close() throws IOException {
        Profiler.finish();
        socket.close();
        Files.deleteIfExists(path);
        try {
            if (connections.tryAcquire(MAX_CONNECTIONS, LAST_ANSWERS_MILLIS, TimeUnit.MILLISECONDS)) {
                connections.release(MAX_CONNECTIONS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
