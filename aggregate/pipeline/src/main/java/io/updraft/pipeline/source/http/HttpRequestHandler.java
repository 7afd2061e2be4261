package io.updraft.pipeline.source.http;

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
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.Utf8Buffer;
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
 * The requests of one connection, on its event loop. The head decides whether a request is accepted; only then its body is
 * kept. A connection that does not deliver a whole request in time is closed.
 */
final class HttpRequestHandler extends SimpleChannelInboundHandler<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(HttpRequestHandler.class);
    private static final String PATH = "/v1/measurements";

    private static final String BEHIND = "the pipeline is behind; try again later";

    private final HttpInbox inbox;
    private final HttpConnections connections;
    private final byte[] token;
    private final int maxBody;
    private final Duration arrivalLimit;
    private final Duration writtenIn;
    private final MeasurementParser measurements = new MeasurementParser();
    private Future<?> deadline;

    /** The body of the arriving request; null if there is none, or if the request was refused. */
    private HttpBody body;

    private boolean keep;

    /** The answer to a request that was refused before it had arrived in full; null if none was. */
    private ChannelFuture refusal;

    /**
     * Creates the handler of a new connection.
     *
     * @param spec the token, the limits, and how long a whole request may take to arrive
     * @param writtenIn how long a request may wait until it is written and then answered; null to answer when it is taken
     */
    HttpRequestHandler(HttpInbox inbox, HttpConnections connections, SourceSpec.Http spec, Duration writtenIn) {
        this.writtenIn = writtenIn;
        this.inbox = inbox;
        this.connections = connections;
        this.token = spec.token() == null ? null : spec.token().getBytes(StandardCharsets.UTF_8);
        this.maxBody = spec.maxBody();
        this.arrivalLimit = spec.idle();
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

    // The time runs from the last answer to the end of the request, so that sending it byte by byte does not help.
    private void expectRequest(ChannelHandlerContext context) {
        deadline = context.executor().schedule(() -> context.close(), arrivalLimit.toMillis(), TimeUnit.MILLISECONDS);
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
        // A client that expects an answer first may send the body after a refusal, so the connection is closed.
        keep = HttpUtil.isKeepAlive(head) && !expects;
        if (!isAcceptable(context, head)) {
            return;
        }
        connections.markAccepted(context.channel());
        keep = HttpUtil.isKeepAlive(head);
        body = new HttpBody(inbox, maxBody, head);
        if (expects) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    /** Returns whether a request may send its body; refuses the request if not. */
    private boolean isAcceptable(ChannelHandlerContext context, HttpRequest head) {
        if (!head.decoderResult().isSuccess()) {
            keep = false;
            refuse(context, HttpResponseStatus.BAD_REQUEST, "not a valid HTTP request");
        } else if (!isAllowed(head)) {
            keep = false;
            refuse(context, HttpResponseStatus.UNAUTHORIZED, "a token is required: Authorization: Bearer <token>");
        } else if (!head.uri().split("\\?", 2)[0].equals(PATH)) {
            refuse(context, HttpResponseStatus.NOT_FOUND, "unknown path: use POST " + PATH);
        } else if (!head.method().equals(HttpMethod.POST)) {
            refuse(context, HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST is allowed");
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
        return "the limit of the body is " + maxBody + " bytes, unpacked";
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

    /** Answers a request before it has arrived in full. The rest is read and discarded, within the same time limit. */
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
            readNext(context, answered);
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
                        whole ? tooLarge() : "not a valid HTTP request");
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

    // Accepts Bearer, or Basic with the token as the password or as the user.
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
            case CLOSED -> refuseAtEnd(context);
            case ACCEPTED -> {
                // The next request is read only after this answer, so that answers keep the order of the requests.
                context.channel().config().setAutoRead(false);
                waiting.begin();
            }
        }
    }

    /** A request in the inbox that is not answered yet. Its fields belong to the event loop. */
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
            HttpResponseStatus success = writtenIn == null ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.OK;
            answerOnce(() -> {
                if (yes) {
                    answer(context, success, null);
                } else {
                    refuseAtEnd(context);
                }
            });
        }

        @Override
        public void refused(String mistake) {
            answerOnce(() -> answer(context, HttpResponseStatus.UNPROCESSABLE_ENTITY, mistake));
        }

        private void answerOnce(Runnable answer) {
            context.executor().execute(() -> {
                if (answered) {
                    return;
                }
                answered = true;
                if (limit != null) {
                    limit.cancel(false);
                }
                answer.run();
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
                "no broker has confirmed the request in time, though it may still be written; send it again later");
    }

    private void refuseAtEnd(ChannelHandlerContext context) {
        keep = false;
        answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "the pipeline is ending");
    }

    /** Answers a request that has arrived in full. */
    private void answer(ChannelHandlerContext context, HttpResponseStatus status, String mistake) {
        readNext(context, write(context, status, mistake));
    }

    /** Reads the next request once the client has received the answer, so that unread answers do not pile up. */
    private void readNext(ChannelHandlerContext context, ChannelFuture answered) {
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
        Utf8Buffer body = new Utf8Buffer().add("{\"errors\":{\"request\":[");
        JsonText.string(mistake, body);
        return body.add("]}}\n").toArray();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause.getCause() instanceof SSLException failed) {
            // The first message has the bytes that were sent instead, maybe a token: it must not be logged.
            String reason =
                    failed instanceof NotSslRecordException ? "the client does not use TLS" : failed.getMessage();
            connections.warn("no TLS with " + context.channel().remoteAddress() + ": " + reason);
        } else {
            LOG.debug("connection from {} failed", context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
