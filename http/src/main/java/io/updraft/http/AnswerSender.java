package io.updraft.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends answers, in pieces if they are long: a client that reads slowly shows its progress with each piece, and a file is never
 * in memory as a whole. Safe to use from any thread.
 */
final class AnswerSender {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerSender.class);

    /** The bytes of a piece. The client must take each one within the time limit of an answer. */
    private static final int PIECE = 64 * 1024;

    /** Reads files, so that a slow disk holds up no other connection. */
    private final Executor readers;

    AnswerSender(Executor readers) {
        this.readers = readers;
    }

    /** Sends an answer to a request, and closes the connection after it unless it is kept alive. */
    void send(ChannelHandlerContext context, boolean keepAlive, boolean head, HttpAnswer answer) {
        if (answer.file() == null) {
            sendBytes(context, keepAlive, head, answer);
            return;
        }
        try {
            readers.execute(() -> openFile(context, keepAlive, head, answer));
        } catch (RejectedExecutionException e) {
            context.close();
        }
    }

    /** Returns a short answer as one message, for a connection that is closed afterwards. */
    static HttpResponse lastMessage(HttpAnswer answer) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.wrappedBuffer(answer.body()));
        setHeaders(response.headers(), answer);
        HttpUtil.setContentLength(response, answer.body().length);
        HttpUtil.setKeepAlive(response, false);
        return response;
    }

    private static void sendBytes(ChannelHandlerContext context, boolean keepAlive, boolean head, HttpAnswer answer) {
        byte[] body = answer.body();
        context.write(responseTo(keepAlive, answer, body.length));
        int start = 0;
        while (!head && body.length - start > PIECE) {
            context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(body, start, PIECE)));
            start += PIECE;
        }
        LastHttpContent last = head
                ? LastHttpContent.EMPTY_LAST_CONTENT
                : new DefaultLastHttpContent(Unpooled.wrappedBuffer(body, start, body.length - start));
        context.writeAndFlush(last).addListener(after(keepAlive));
    }

    private static HttpResponse responseTo(boolean keepAlive, HttpAnswer answer, long length) {
        HttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
        setHeaders(response.headers(), answer);
        if (answer.type() != null || length > 0 || answer.status() == HttpResponseStatus.SEE_OTHER.code()) {
            HttpUtil.setContentLength(response, length);
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        return response;
    }

    private static void setHeaders(HttpHeaders headers, HttpAnswer answer) {
        if (answer.type() != null) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, answer.type());
        }
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set(HttpHeaderNames.X_FRAME_OPTIONS, "DENY");
        headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        answer.headers().forEach(headers::set);
    }

    private static ChannelFutureListener after(boolean keepAlive) {
        return keepAlive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE;
    }

    private void openFile(ChannelHandlerContext context, boolean keepAlive, boolean head, HttpAnswer answer) {
        FileChannel file;
        long size;
        try {
            file = FileChannel.open(answer.file(), StandardOpenOption.READ);
            size = file.size();
        } catch (IOException e) {
            LOG.warn("cannot read {}: {}", answer.file(), e.toString());
            sendBytes(context, keepAlive, head, HttpAnswer.text(404, "the file cannot be read; the log says why\n"));
            return;
        }
        HttpResponse response = responseTo(keepAlive, answer, size);
        if (head || size == 0) {
            close(file);
            context.write(response);
            context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(after(keepAlive));
            return;
        }
        context.write(response);
        sendPiece(context, keepAlive, file, size);
    }

    /** Sends the next piece, on a thread that reads files. The one after it is read when the client has taken this one. */
    private void sendPiece(ChannelHandlerContext context, boolean keepAlive, FileChannel file, long left) {
        ByteBuf piece = context.alloc().directBuffer(PIECE);
        int read;
        try {
            read = piece.writeBytes(file, (int) Math.min(left, PIECE));
        } catch (IOException e) {
            LOG.warn("cannot read a file further: {}", e.toString());
            read = -1;
        }
        if (read <= 0) {
            // The file has become shorter. The client sees that the answer is not complete.
            piece.release();
            close(file);
            context.close();
        } else if (read == left) {
            close(file);
            context.writeAndFlush(new DefaultLastHttpContent(piece)).addListener(after(keepAlive));
        } else {
            long rest = left - read;
            context.writeAndFlush(new DefaultHttpContent(piece))
                    .addListener((ChannelFuture done) -> afterPiece(done, context, keepAlive, file, rest));
        }
    }

    private void afterPiece(
            ChannelFuture done, ChannelHandlerContext context, boolean keepAlive, FileChannel file, long left) {
        if (done.isSuccess()) {
            try {
                readers.execute(() -> sendPiece(context, keepAlive, file, left));
                return;
            } catch (RejectedExecutionException e) {
                // The port closes.
            }
        }
        close(file);
        context.close();
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("cannot close a file", e);
        }
    }
}
