package io.updraft.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.flow.FlowControlHandler;
import io.updraft.base.net.ConnectionLimits;
import java.util.concurrent.TimeUnit;

/**
 * One connection. Handles its requests one after the other: the next one is read after the answer to this one is sent. Reports
 * to the limits what the connection does. Runs on the event loop.
 */
final class HttpConnection {
    /** The maximum length of the first line of a request: names of topologies and components may be long. */
    private static final int MAX_LINE_BYTES = 64 * 1024;

    private static final int MAX_HEADER_BYTES = 8 * 1024;

    /** How long the rest of a body that is too long is read, so that the client sees the answer. */
    private static final int DRAIN_SECONDS = 1;

    private final Channel channel;
    private final ConnectionLimits<Channel> limits;
    private final int maxBody;

    /** Whether a request has begun whose answer is not sent. */
    private boolean within;

    HttpConnection(Channel channel, ConnectionLimits<Channel> limits, int maxBody) {
        this.channel = channel;
        this.limits = limits;
        this.maxBody = maxBody;
    }

    void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new Bytes())
                .addLast(new HttpServerCodec(MAX_LINE_BYTES, MAX_HEADER_BYTES, MAX_HEADER_BYTES))
                .addLast(new Answers())
                .addLast(new Bodies(maxBody))
                .addLast(new FlowControlHandler())
                .addLast(new Calls());
    }

    /** Reports when the connection begins a request. */
    private final class Bytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            limits.opened(channel);
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            limits.closed(channel);
            context.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            if (!within) {
                within = true;
                limits.transfers(channel);
            }
            context.fireChannelRead(bytes);
        }
    }

    /** Reports when an answer begins, when the client has taken a piece of it, and when it ends. */
    private final class Answers extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof FullHttpResponse response
                    && response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                context.write(message, promise);
                return;
            }
            limits.transfers(channel);
            boolean last = message instanceof LastHttpContent;
            context.write(message, promise.unvoid().addListener(done -> written(last)));
        }

        private void written(boolean last) {
            if (last) {
                within = false;
                limits.idles(channel);
                channel.config().setAutoRead(true);
            } else {
                limits.transfers(channel);
            }
        }
    }

    /** Collects the body of a request; refuses one that is too long. */
    private static final class Bodies extends HttpObjectAggregator {
        private Bodies(int maxBody) {
            super(maxBody);
        }

        @Override
        protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
            HttpAnswer refusal = HttpAnswer.text(413, "a request may have at most " + maxContentLength() + " bytes\n");
            context.writeAndFlush(AnswerSender.lastMessage(refusal));
            context.executor().schedule(() -> context.close(), DRAIN_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Reports when a request is complete, and stops reading. */
    private final class Calls extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object request) {
            if (request instanceof FullHttpRequest) {
                limits.calls(channel);
                channel.config().setAutoRead(false);
            }
            context.fireChannelRead(request);
        }
    }
}
