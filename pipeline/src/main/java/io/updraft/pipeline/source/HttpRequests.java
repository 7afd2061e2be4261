package io.updraft.pipeline.source;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one connection, on its event loop. The head says whether a request is let in; only then its body is kept. A
 * connection that does not bring a whole request in time is closed.
 */
final class HttpRequests extends SimpleChannelInboundHandler<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(HttpRequests.class);
    private static final String PATH = "/v1/measurements";

    private static final String BEHIND = "the pipeline is behind; try again later";

    private final HttpInbox inbox;
    private final HttpConnections connections;
    private final byte[] token;
    private final int maxBody;
    private final Duration patience;
    private final Duration writtenIn;
    private final Measurements measurements = new Measurements();
    private Future<?> deadline;

    /** Of the request that is being received; null if there is none, or if it was refused. */
    private HttpBody body;

    private boolean keep;

    /** The answer of a request that was refused before all of it had come; null if it was not. */
    private ChannelFuture refusal;

    /**
     * Requests of a new connection.
     *
     * @param spec who may send what, and within which time a whole request must come
     * @param writtenIn within which a request must be written, to be answered then; null to answer what was taken
     */
    HttpRequests(HttpInbox inbox, HttpConnections connections, SourceSpec.Http spec, Duration writtenIn) {
        this.writtenIn = writtenIn;
        this.inbox = inbox;
        this.connections = connections;
        this.token = spec.token() == null ? null : spec.token().getBytes(StandardCharsets.UTF_8);
        this.maxBody = spec.maxBody();
        this.patience = spec.idle();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        expectRequest(context);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel(false);
        forgetBody();
        context.fireChannelInactive();
    }

    private void forgetBody() {
        if (body != null) {
            body.close();
            body = null;
        }
    }

    // Counted from the last answer to the end of the request, so that sending it byte by byte does not help.
    private void expectRequest(ChannelHandlerContext context) {
        deadline = context.executor().schedule(() -> context.close(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part instanceof HttpRequest head) {
            begin(context, head);
        }
        if (part instanceof HttpContent content) {
            add(context, content);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest head) {
        boolean expects = HttpUtil.is100ContinueExpected(head);
        // If it is refused, nobody knows whether a client that expects an answer first sends the body nevertheless.
        keep = HttpUtil.isKeepAlive(head) && !expects;
        if (!mayCome(context, head)) {
            return;
        }
        connections.letIn(context.channel());
        keep = HttpUtil.isKeepAlive(head);
        body = new HttpBody(inbox, maxBody, head);
        if (expects) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    /** Whether a request may bring its body; refuses it if not. */
    private boolean mayCome(ChannelHandlerContext context, HttpRequest head) {
        if (!head.decoderResult().isSuccess()) {
            keep = false;
            refuse(context, HttpResponseStatus.BAD_REQUEST, "this is no HTTP request");
        } else if (!isAllowed(head)) {
            keep = false;
            refuse(context, HttpResponseStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer <token>");
        } else if (!head.uri().split("\\?", 2)[0].equals(PATH)) {
            refuse(context, HttpResponseStatus.NOT_FOUND, "there is only POST " + PATH);
        } else if (!head.method().equals(HttpMethod.POST)) {
            refuse(context, HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST is known here");
        } else if (!isJson(head)) {
            refuse(
                    context,
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "the body must be JSON (Content-Type: application/json), plain or packed with gzip or deflate");
        } else if (HttpUtil.getContentLength(head, 0L) > maxBody) {
            refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
        }
        return refusal == null;
    }

    private String tooLarge() {
        return "the body must not be longer than " + maxBody + " bytes, unpacked";
    }

    private void add(ChannelHandlerContext context, HttpContent content) {
        if (body != null) {
            switch (body.add(content.content())) {
                case TOO_LARGE -> refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
                case FULL -> refuse(context, HttpResponseStatus.TOO_MANY_REQUESTS, BEHIND);
                case TAKEN -> {}
            }
        }
        if (content instanceof LastHttpContent) {
            end(context, content.decoderResult().isSuccess());
        }
    }

    /** Answers before all of a request has come. What comes of it after that is read and forgotten, within the time that it has. */
    private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String mistake) {
        forgetBody();
        refusal = write(context, status, mistake);
    }

    private void end(ChannelHandlerContext context, boolean whole) {
        deadline.cancel(false);
        if (refusal == null) {
            take(context, whole);
        } else {
            ChannelFuture answered = refusal;
            refusal = null;
            goOn(context, answered);
        }
    }

    private void take(ChannelHandlerContext context, boolean whole) {
        byte[] lines;
        try {
            byte[] request = whole ? body.unpacked() : null;
            if (request == null) {
                keep &= whole;
                answer(
                        context,
                        whole ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE : HttpResponseStatus.BAD_REQUEST,
                        whole ? tooLarge() : "this is no HTTP request");
                return;
            }
            lines = measurements.read(request, System.currentTimeMillis() / 1000);
        } catch (IOException e) {
            answer(context, HttpResponseStatus.BAD_REQUEST, "the packed body is damaged");
            return;
        } catch (IllegalArgumentException e) {
            answer(context, HttpResponseStatus.BAD_REQUEST, e.getMessage());
            return;
        } finally {
            forgetBody();
        }
        put(context, lines);
    }

    // Bearer, or Basic with the token as the password or as the user.
    private boolean isAllowed(HttpRequest request) {
        if (token == null) {
            return true;
        }
        String given = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        if (given.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return isToken(given.substring(7).strip());
        }
        if (!given.regionMatches(true, 0, "Basic ", 0, 6)) {
            return false;
        }
        try {
            String[] both = new String(
                            Base64.getDecoder().decode(given.substring(6).strip()), StandardCharsets.UTF_8)
                    .split(":", 2);
            return isToken(both[0]) | isToken(both[both.length - 1]);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isJson(HttpRequest head) {
        CharSequence type = HttpUtil.getMimeType(head);
        return type != null && type.toString().equalsIgnoreCase("application/json") && HttpBody.isReadable(head);
    }

    private void put(ChannelHandlerContext context, byte[] lines) {
        Waiting waiting = new Waiting(context);
        switch (inbox.put(lines, waiting)) {
            case FULL -> answer(context, HttpResponseStatus.TOO_MANY_REQUESTS, BEHIND);
            case STUCK -> notWritten(context);
            case CLOSED -> ending(context);
            case ACCEPTED -> {
                // No next request is read before this one is answered, or answers would come in another order.
                context.channel().config().setAutoRead(false);
                waiting.begin();
            }
        }
    }

    /** A request that was put and is not answered yet. Its fields belong to the event loop. */
    private final class Waiting implements HttpInbox.Answer {
        private final ChannelHandlerContext context;
        private boolean answered;
        private Future<?> limit;

        private Waiting(ChannelHandlerContext context) {
            this.context = context;
        }

        private void begin() {
            if (writtenIn != null) {
                limit = context.executor().schedule(this::giveUp, writtenIn.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void taken(boolean yes) {
            context.executor().execute(() -> {
                if (answered) {
                    return;
                }
                answered = true;
                if (limit != null) {
                    limit.cancel(false);
                }
                if (yes) {
                    answer(context, writtenIn == null ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.OK, null);
                } else {
                    ending(context);
                }
            });
        }

        private void giveUp() {
            if (!answered) {
                answered = true;
                inbox.giveUp(this);
                notWritten(context);
            }
        }
    }

    private void notWritten(ChannelHandlerContext context) {
        answer(
                context,
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                "no broker has taken it in time, though one may yet; send it again later");
    }

    private void ending(ChannelHandlerContext context) {
        keep = false;
        answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "the pipeline is ending");
    }

    /** Answers a request that has come to its end. */
    private void answer(ChannelHandlerContext context, HttpResponseStatus status, String mistake) {
        goOn(context, write(context, status, mistake));
    }

    /** Reads the next request when the client has taken the answer, so that answers that nobody reads do not pile up. */
    private void goOn(ChannelHandlerContext context, ChannelFuture answered) {
        if (!context.channel().isActive()) {
            return;
        }
        expectRequest(context);
        if (!keep) {
            answered.addListener(ChannelFutureListener.CLOSE);
        }
        if (answered.isDone()) {
            context.channel().config().setAutoRead(keep);
        } else {
            context.channel().config().setAutoRead(false);
            answered.addListener(done -> context.channel().config().setAutoRead(keep));
        }
    }

    private ChannelFuture write(ChannelHandlerContext context, HttpResponseStatus status, String mistake) {
        byte[] text = mistake == null ? new byte[0] : body(mistake);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(text));
        HttpUtil.setContentLength(response, text.length);
        if (text.length > 0) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        }
        if (status.equals(HttpResponseStatus.TOO_MANY_REQUESTS)
                || status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, 1);
        } else if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, HttpMethod.POST);
        } else if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        HttpUtil.setKeepAlive(response, keep);
        return context.writeAndFlush(response);
    }

    private static byte[] body(String mistake) {
        StringBuilder body = new StringBuilder("{\"errors\":{\"request\":[");
        Measurements.string(body, mistake);
        return body.append("]}}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause.getCause() instanceof SSLException failed) {
            // The message of the first has what was sent instead: tokens are no business of a log.
            String why = failed instanceof NotSslRecordException ? "it speaks no TLS" : failed.getMessage();
            connections.warn("no TLS with " + context.channel().remoteAddress() + ": " + why);
        } else {
            LOG.debug("connection from {} failed", context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
