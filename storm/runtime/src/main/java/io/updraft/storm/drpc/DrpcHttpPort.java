package io.updraft.storm.drpc;

import static io.netty.handler.codec.http.HttpResponseStatus.BAD_REQUEST;
import static io.netty.handler.codec.http.HttpResponseStatus.FORBIDDEN;
import static io.netty.handler.codec.http.HttpResponseStatus.GATEWAY_TIMEOUT;
import static io.netty.handler.codec.http.HttpResponseStatus.INTERNAL_SERVER_ERROR;
import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.base.net.ConnectionLimits;
import io.updraft.base.net.PortRefusal;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.text.FailureMessages;
import io.updraft.storm.thrift.AllowedUsers;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves DRPC over HTTP on a port. One thread serves all connections, however slowly they send: a half-sent request or a
 * request that waits for its answer holds no thread. {@link ConnectionLimits} closes connections that take too long.
 */
final class DrpcHttpPort implements AutoCloseable {
    private static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            1024, 64, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMinutes(5), Duration.ofSeconds(1));
    private static final int BACKLOG = 128;
    private static final int POLL_MILLIS = 500;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("updraft-drpc-http", true), NioIoHandler.newFactory());
    private final ConnectionLimits<Channel> limits = new ConnectionLimits<>(LIMITS, Channel::close, System::nanoTime);

    private DrpcHttpPort() {}

    /**
     * Opens the port; request bodies may have up to {@code maxBytes}. The message of an exception is one line for users.
     */
    static DrpcHttpPort open(UpdraftDrpc drpc, InetSocketAddress address, int maxBytes, AllowedUsers users)
            throws IOException {
        DrpcHttpPort port = new DrpcHttpPort();
        try {
            port.bind(drpc, address, maxBytes, users);
            return port;
        } catch (BindException e) {
            port.close();
            throw PortRefusal.of(address, e);
        } catch (IOException e) {
            port.close();
            throw e;
        }
    }

    private void bind(UpdraftDrpc drpc, InetSocketAddress address, int maxBytes, AllowedUsers users)
            throws IOException {
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new Begins())
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(maxBytes))
                                .addLast(new FlowControlHandler())
                                .addLast(new Calls())
                                .addLast(new DrpcHttpHandler(drpc, users));
                    }
                });
        var bound = server.bind(address).awaitUninterruptibly();
        if (bound.cause() instanceof IOException e) {
            throw e;
        } else if (!bound.isSuccess()) {
            throw new IOException(bound.cause());
        }
        loops.next().scheduleWithFixedDelay(limits::expire, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Reports to the limits when a request begins and when its answer is sent. */
    private final class Begins extends ChannelDuplexHandler {
        private boolean within;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            limits.opened(context.channel());
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            limits.closed(context.channel());
            context.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            if (!within) {
                within = true;
                limits.transfers(context.channel());
            }
            context.fireChannelRead(bytes);
        }

        /** Writes the answer, which is one message. */
        @Override
        public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
            limits.transfers(context.channel());
            context.write(bytes, promise.unvoid().addListener(done -> {
                within = false;
                limits.idles(context.channel());
            }));
        }
    }

    /** Handles the requests of a connection one after the other: the next one is read after the answer to this one is sent. */
    private final class Calls extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object request) {
            if (request instanceof FullHttpRequest) {
                limits.calls(context.channel());
                context.channel().config().setAutoRead(false);
            }
            context.fireChannelRead(request);
        }

        @Override
        public void write(ChannelHandlerContext context, Object answer, ChannelPromise promise) {
            context.write(
                    answer,
                    promise.unvoid()
                            .addListener(done -> context.channel().config().setAutoRead(true)));
        }
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        limits.closeAll();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /**
     * Serves Storm's DRPC requests over HTTP on one connection: {@code GET /drpc/function/arguments}, {@code GET /drpc/function},
     * and {@code POST /drpc/function} with the arguments as the body. The body of the response is the answer. A failure is a status
     * and JSON, as from Storm's server. Runs on the event loop; an answer may come on any thread.
     */
    private static final class DrpcHttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private static final Logger LOG = LoggerFactory.getLogger(DrpcHttpHandler.class);
        private static final String PATH = "/drpc/";
        private static final String TEXT = "text/plain; charset=utf-8";

        private final UpdraftDrpc drpc;
        private final AllowedUsers users;
        private boolean allowed;

        DrpcHttpHandler(UpdraftDrpc drpc, AllowedUsers users) {
            this.drpc = drpc;
            this.users = users;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            String refusal = refusal(context, request);
            if (refusal != null) {
                send(context, false, FORBIDDEN, TEXT, refusal + "\n");
            } else if (request.decoderResult().isFailure()) {
                send(context, false, BAD_REQUEST, TEXT, "the request is not valid HTTP\n");
            } else {
                answer(context, request, HttpUtil.isKeepAlive(request));
            }
        }

        private String refusal(ChannelHandlerContext context, FullHttpRequest request) {
            String refusal = allowed
                    ? null
                    : users.refusal((InetSocketAddress) context.channel().remoteAddress(), (InetSocketAddress)
                            context.channel().localAddress());
            allowed = refusal == null;
            return allowed && !users.allowsEveryone() && isFromAPage(request) ? "web pages are refused" : refusal;
        }

        /**
         * Returns whether a web page made the request: the browser of an allowed user runs foreign code, and names its origin in
         * headers.
         */
        private static boolean isFromAPage(FullHttpRequest request) {
            String site = request.headers().get("Sec-Fetch-Site", "none");
            return request.headers().contains(HttpHeaderNames.ORIGIN) || !site.equals("none");
        }

        private void answer(ChannelHandlerContext context, FullHttpRequest request, boolean keepAlive) {
            String raw = request.uri();
            int query = raw.indexOf('?');
            String path = query < 0 ? raw : raw.substring(0, query);
            if (!path.startsWith(PATH)) {
                send(context, keepAlive, NOT_FOUND, TEXT, "no such path; functions are under " + PATH + "\n");
                return;
            }
            String rest = path.substring(PATH.length());
            int slash = rest.indexOf('/');
            String function = decoded(slash < 0 ? rest : rest.substring(0, slash));
            if (function.isEmpty()) {
                send(context, keepAlive, NOT_FOUND, TEXT, "no function given; use /drpc/<function>/<arguments>\n");
            } else if (request.method().equals(HttpMethod.GET)) {
                call(context, keepAlive, function, decoded(slash < 0 ? "" : rest.substring(slash + 1)));
            } else if (request.method().equals(HttpMethod.POST)) {
                call(context, keepAlive, function, request.content().toString(StandardCharsets.UTF_8));
            } else {
                send(context, keepAlive, METHOD_NOT_ALLOWED, TEXT, "only GET and POST are supported\n");
            }
        }

        private void call(ChannelHandlerContext context, boolean keepAlive, String function, String arguments) {
            drpc.submit(function, arguments).whenComplete((answer, failure) -> {
                if (failure == null) {
                    send(context, keepAlive, OK, TEXT, answer);
                } else {
                    fail(context, keepAlive, failure instanceof CompletionException ? failure.getCause() : failure);
                }
            });
        }

        /** Decodes a part of a path: a plus stands for itself there, unlike in a form. */
        private static String decoded(String part) {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        }

        private static void fail(ChannelHandlerContext context, boolean keepAlive, Throwable failure) {
            DRPCExecutionException known = failure instanceof DRPCExecutionException declared ? declared : null;
            DRPCExceptionType type = known != null && known.is_set_type() ? known.get_type() : null;
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("error", type == null ? "Internal Error" : type.toString());
            body.put("errorMessage", known == null ? FailureMessages.oneLine(failure) : known.get_msg());
            send(context, keepAlive, statusOf(type), "application/json", JSONObject.toJSONString(body));
        }

        private static HttpResponseStatus statusOf(DRPCExceptionType type) {
            if (type == null) {
                return INTERNAL_SERVER_ERROR;
            }
            return switch (type) {
                case FAILED_REQUEST -> BAD_REQUEST;
                case SERVER_SHUTDOWN -> SERVICE_UNAVAILABLE;
                case SERVER_TIMEOUT -> GATEWAY_TIMEOUT;
                case INTERNAL_ERROR -> INTERNAL_SERVER_ERROR;
            };
        }

        private static void send(
                ChannelHandlerContext context, boolean keepAlive, HttpResponseStatus status, String type, String text) {
            byte[] body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
            HttpUtil.setContentLength(response, body.length);
            HttpUtil.setKeepAlive(response, keepAlive);
            context.writeAndFlush(response)
                    .addListener(keepAlive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof IllegalArgumentException) {
                send(context, false, BAD_REQUEST, TEXT, cause.getMessage() + "\n");
                return;
            }
            LOG.debug("closing the connection of {}", context.channel().remoteAddress(), cause);
            context.close();
        }
    }
}
