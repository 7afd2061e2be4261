package io.updraft.observe.inspection;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/** Asks a process that listens with an {@link InspectionServer}. */
public final class InspectionClient {
    private static final int MAX_ANSWER_BYTES = 256 * 1024 * 1024;

    private InspectionClient() {}

    /**
     * Sends one request and waits for the answer.
     *
     * @param socket the path of the socket
     * @param request the kind of the request
     * @param arguments the other members of the request
     * @param limit the longest time to wait
     * @return the answer, which is not an error
     * @throws RefusedRequestException when the process refuses the request or cannot answer it
     * @throws IOException when the process cannot be reached, or does not answer in time
     */
    public static JsonObject ask(Path socket, String request, JsonObject arguments, Duration limit) throws IOException {
        JsonObject all = JsonObject.of(InspectionServer.REQUEST, request).with(arguments);
        SocketChannel open = SocketChannel.open(StandardProtocolFamily.UNIX);
        try (TimedChannel channel = new TimedChannel(open)) {
            // Does not wait: with a full queue of a stopped process the connection fails at once.
            if (!open.connect(UnixDomainSocketAddress.of(socket))) {
                throw new IOException("the process accepts no connection");
            }
            channel.writeLine(Json.write(all), limit);
            JsonObject answer = read(channel.readLine(MAX_ANSWER_BYTES, limit));
            if (answer.get(InspectionServer.ERROR) instanceof String error) {
                throw new RefusedRequestException(error);
            }
            return answer;
        }
    }

    private static JsonObject read(String line) throws IOException {
        try {
            return Json.readObject(line);
        } catch (JsonException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The process has answered that it cannot carry out the request. The message is one line. */
    public static final class RefusedRequestException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedRequestException(String message) {
            super(message);
        }
    }
}
