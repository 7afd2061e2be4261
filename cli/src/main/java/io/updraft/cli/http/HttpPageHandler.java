package io.updraft.cli.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one connection with pages. Runs on the event loop; an answer may come on any thread. */
final class HttpPageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPageHandler.class);
    private static final String METHODS = "GET, HEAD";

    private final Map<String, HttpPage> pages;
    private final Map<String, HttpPage> atOnce;
    private final Executor makers;

    HttpPageHandler(Map<String, HttpPage> pages, Map<String, HttpPage> atOnce, Executor makers) {
        this.pages = pages;
        this.atOnce = atOnce;
        this.makers = makers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            send(context, false, HttpAnswer.text(400, "the request is not valid HTTP, or too long\n"));
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        HttpQuery query;
        try {
            query = query(request);
        } catch (IllegalArgumentException e) {
            send(context, keepAlive, HttpAnswer.text(400, "the path is not valid\n"));
            return;
        }
        HttpPage quick = atOnce.get(query.path());
        HttpPage page = quick == null ? pages.get(query.path()) : quick;
        if (page == null) {
            send(context, keepAlive, HttpAnswer.text(404, "no such page\n"));
        } else if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            send(context, keepAlive, HttpAnswer.text(405, "only GET and HEAD are supported\n"));
        } else if (quick != null) {
            send(context, keepAlive, make(page, query));
        } else {
            makeLater(context, keepAlive, page, query);
        }
    }

    private static HttpQuery query(FullHttpRequest request) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        return new HttpQuery(
                uri.path(), uri.rawQuery(), String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT)));
    }

    private void makeLater(ChannelHandlerContext context, boolean keepAlive, HttpPage page, HttpQuery query) {
        try {
            makers.execute(() -> send(context, keepAlive, make(page, query)));
        } catch (RejectedExecutionException e) {
            send(context, keepAlive, HttpAnswer.text(503, "too many requests at the same time\n"));
        }
    }

    private static HttpAnswer make(HttpPage page, HttpQuery query) {
        try {
            return page.get(query);
        } catch (RuntimeException e) {
            LOG.error("cannot make the page {}", query.path(), e);
            return HttpAnswer.text(500, "internal error; the log has the details\n");
        }
    }

    /** Sends an answer. The codec leaves out the body of an answer to HEAD. */
    private static void send(ChannelHandlerContext context, boolean keepAlive, HttpAnswer answer) {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        HttpResponseStatus status = HttpResponseStatus.valueOf(answer.status());
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.type());
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        response.headers().set("X-Content-Type-Options", "nosniff");
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, METHODS);
        }
        HttpUtil.setContentLength(response, body.length);
        HttpUtil.setKeepAlive(response, keepAlive);
        context.writeAndFlush(response)
                .addListener(keepAlive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("closing the connection of {}", context.channel().remoteAddress(), cause);
        context.close();
    }
}
