package io.updraft.pipeline.source;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests of one connection, on its event loop. A connection that does not bring a whole request in time is closed. */
final class HttpRequests extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(HttpRequests.class);
    private static final String PATH = "/v1/measurements";

    private final HttpInbox inbox;
    private final byte[] token;
    private final Duration patience;
    private final Duration writtenIn;
    private final Measurements measurements = new Measurements();
    private Future<?> deadline;

    /**
     * Requests of a new connection.
     *
     * @param patience within which a whole request must come
     * @param writtenIn within which a request must be written, to be answered then; null to answer what was taken
     */
    HttpRequests(HttpInbox inbox, String token, Duration patience, Duration writtenIn) {
        this.writtenIn = writtenIn;
        this.inbox = inbox;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.patience = patience;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        expectRequest(context);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel(false);
        context.fireChannelInactive();
    }

    // Counted from the last answer to the end of the request, so that sending it byte by byte does not help.
    private void expectRequest(ChannelHandlerContext context) {
        deadline = context.executor().schedule(() -> context.close(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        deadline.cancel(false);
        boolean keep = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        if (!request.decoderResult().isSuccess()) {
            answer(context, HttpResponseStatus.BAD_REQUEST, "this is no HTTP request", false);
        } else if (!request.uri().split("\\?", 2)[0].equals(PATH)) {
            answer(context, HttpResponseStatus.NOT_FOUND, "there is only POST " + PATH, keep);
        } else if (!request.method().equals(HttpMethod.POST)) {
            answer(context, HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST is known here", keep);
        } else if (!isAllowed(request)) {
            answer(context, HttpResponseStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer <token>", keep);
        } else if (!isJson(request)) {
            answer(
                    context,
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "the body must be JSON (Content-Type: application/json), plain or packed with gzip or deflate",
                    keep);
        } else {
            take(context, request, keep);
        }
    }

    // Bearer, or Basic with the token as the password or as the user.
    private boolean isAllowed(FullHttpRequest request) {
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

    // What the decompressor knows it has taken out of the headers.
    private static boolean isJson(FullHttpRequest request) {
        CharSequence type = HttpUtil.getMimeType(request);
        String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING, "identity");
        return type != null
                && type.toString().equalsIgnoreCase("application/json")
                && encoding.equalsIgnoreCase("identity");
    }

    private void take(ChannelHandlerContext context, FullHttpRequest request, boolean keep) {
        byte[] lines;
        try {
            lines = measurements.read(ByteBufUtil.getBytes(request.content()), System.currentTimeMillis() / 1000);
        } catch (IllegalArgumentException e) {
            answer(context, HttpResponseStatus.BAD_REQUEST, e.getMessage(), keep);
            return;
        }
        // No next request is read before this one is answered, or answers would come in another order.
        context.channel().config().setAutoRead(false);
        Waiting waiting = new Waiting(context, keep);
        switch (inbox.put(lines, waiting)) {
            case FULL ->
                answer(context, HttpResponseStatus.TOO_MANY_REQUESTS, "the pipeline is behind; try again later", keep);
            case STUCK -> notWritten(context, keep);
            case CLOSED -> refuse(context);
            case ACCEPTED -> waiting.begin();
        }
    }

    /** A request that was put and is not answered yet. Its fields belong to the event loop. */
    private final class Waiting implements HttpInbox.Answer {
        private final ChannelHandlerContext context;
        private final boolean keep;
        private boolean answered;
        private Future<?> limit;

        private Waiting(ChannelHandlerContext context, boolean keep) {
            this.context = context;
            this.keep = keep;
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
                    answer(
                            context,
                            writtenIn == null ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.OK,
                            null,
                            keep);
                } else {
                    refuse(context);
                }
            });
        }

        private void giveUp() {
            if (!answered) {
                answered = true;
                inbox.giveUp(this);
                notWritten(context, keep);
            }
        }
    }

    private void notWritten(ChannelHandlerContext context, boolean keep) {
        answer(
                context,
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                "no broker has taken it in time, though one may yet; send it again later",
                keep);
    }

    private void refuse(ChannelHandlerContext context) {
        answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "the pipeline is ending", false);
    }

    private void answer(ChannelHandlerContext context, HttpResponseStatus status, String mistake, boolean keep) {
        byte[] body = mistake == null ? new byte[0] : body(mistake);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        HttpUtil.setContentLength(response, body.length);
        if (body.length > 0) {
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
        var written = context.writeAndFlush(response);
        if (keep) {
            expectRequest(context);
            context.channel().config().setAutoRead(true);
        } else {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private static byte[] body(String mistake) {
        StringBuilder body = new StringBuilder("{\"errors\":{\"request\":[");
        Measurements.string(body, mistake);
        return body.append("]}}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof DecompressionException || cause.getCause() instanceof DecompressionException) {
            answer(context, HttpResponseStatus.BAD_REQUEST, "the packed body is damaged", false);
            return;
        }
        LOG.debug("connection from {} failed", context.channel().remoteAddress(), cause);
        context.close();
    }
}
