package io.updraft.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one connection with pages. Runs on the event loop; an answer may come on any thread. */
final class HttpPageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPageHandler.class);

    /** What no page's path has: a parent directory, a control character. */
    private static final Pattern HARMFUL =
            Pattern.compile("(^|.*[/\\\\])\\.\\.([/\\\\].*|$)|.*\\p{Cntrl}.*", Pattern.DOTALL);

    private final HttpSite site;
    private final HttpFilter filter;
    private final Executor makers;
    private final AnswerSender sender;

    HttpPageHandler(HttpSite site, HttpFilter filter, Executor makers, AnswerSender sender) {
        this.site = site;
        this.filter = filter;
        this.makers = makers;
        this.sender = sender;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            sender.send(context, false, false, HttpAnswer.text(400, "the request is not valid HTTP, or too long\n"));
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        HttpQuery query;
        try {
            query = query(context, request);
        } catch (IllegalArgumentException e) {
            sender.send(context, keepAlive, false, HttpAnswer.text(400, "the path is not valid\n"));
            return;
        }
        HttpRoute route = route(query);
        if (route.atOnce()) {
            send(context, keepAlive, query, make(route.page(), query));
        } else {
            makeLater(context, keepAlive, query, route.page());
        }
    }

    private HttpQuery query(ChannelHandlerContext context, FullHttpRequest request) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        boolean asSent = site.page() != null;
        String path = asSent ? request.uri().split("\\?", 2)[0] : uri.path();
        if (!asSent && HARMFUL.matcher(path).matches()) {
            throw new IllegalArgumentException("a path that no page has");
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.headers().forEach(each -> headers.merge(each.getKey(), each.getValue(), (a, b) -> a + "," + b));
        return new HttpQuery(
                request.method().name(),
                path,
                uri.rawPath(),
                uri.rawQuery(),
                asSent ? Map.of() : uri.parameters(),
                Collections.unmodifiableMap(headers),
                ByteBufUtil.getBytes(request.content()),
                (InetSocketAddress) context.channel().remoteAddress(),
                (InetSocketAddress) context.channel().localAddress(),
                null);
    }

    private HttpRoute route(HttpQuery query) {
        if (site.page() != null) {
            return HttpRoute.atOnce(site.page());
        }
        HttpRoute route = site.route(query.path());
        if (route == null) {
            return HttpRoute.atOnce(none -> HttpAnswer.text(404, "no such page\n"));
        } else if (route.methods().contains(query.method())) {
            return route;
        }
        HttpAnswer refusal = HttpAnswer.text(405, "only " + String.join(" and ", route.methods()) + " are supported\n")
                .with("Allow", String.join(", ", route.methods()));
        return HttpRoute.atOnce(none -> refusal);
    }

    private void makeLater(ChannelHandlerContext context, boolean keepAlive, HttpQuery query, HttpPage page) {
        try {
            makers.execute(() -> send(context, keepAlive, query, make(page, query)));
        } catch (RejectedExecutionException e) {
            HttpPage refusal = none -> HttpAnswer.text(503, "too many requests at the same time\n");
            send(context, keepAlive, query, make(refusal, query));
        }
    }

    private HttpAnswer make(HttpPage page, HttpQuery query) {
        try {
            return AnswerEncoding.encode(query, filter.answer(query, checked -> page(page, checked)));
        } catch (RuntimeException | Error e) {
            return internalError(query, e);
        }
    }

    private static HttpAnswer page(HttpPage page, HttpQuery query) {
        try {
            return page.get(query);
        } catch (RuntimeException | Error e) {
            return internalError(query, e);
        }
    }

    private static HttpAnswer internalError(HttpQuery query, Throwable e) {
        LOG.error("cannot make the page {}", query.path(), e);
        return HttpAnswer.text(500, "internal error; the log has the details\n");
    }

    private void send(ChannelHandlerContext context, boolean keepAlive, HttpQuery query, HttpAnswer answer) {
        if (answer.later() != null) {
            // On the event loop: the thread that has the answer may be a topology's.
            answer.later()
                    .whenCompleteAsync(
                            (made, failure) -> send(
                                    context, keepAlive, query, failure == null ? made : internalError(query, failure)),
                            context.executor());
            return;
        }
        try {
            sender.send(context, keepAlive, query.method().equals("HEAD"), answer);
        } catch (RuntimeException e) {
            // Such as a header that HTTP does not allow. A client that waits would keep the connection for ever.
            LOG.error("cannot send the page {}", query.path(), e);
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("closing the connection of {}", context.channel().remoteAddress(), cause);
        context.close();
    }
}
