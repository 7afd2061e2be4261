package io.updraft.pipeline.source.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of an HTTP source. The certificate files are read again when they have changed, so new connections use a renewed
 * certificate. If the new files cannot be used, the previous certificate stays. After construction, belongs to the event loop.
 */
final class HttpTls {

    private static final Logger LOG = LoggerFactory.getLogger(HttpTls.class);
    private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final SourceSpec.Http.Certificate files;
    private SslContext context;
    private List<FileTime> times;
    private long looked = System.nanoTime();
    private boolean warned;

    HttpTls(SourceSpec.Http.Certificate files) throws SourceException {
        this.files = files;
        try {
            times = times();
            context = load();
        } catch (IOException | IllegalArgumentException e) {
            throw new SourceException(cannotUse(e), e);
        }
    }

    private String cannotUse(Exception e) {
        return "http: the certificate in " + files.chain() + " with the key in " + files.key()
                + " cannot be used (both are PEM, the key PKCS #8 without a password): " + e;
    }

    private SslContext load() throws IOException {
        return SslContextBuilder.forServer(files.chain().toFile(), files.key().toFile())
                .sslProvider(SslProvider.JDK)
                .build();
    }

    private List<FileTime> times() throws IOException {
        return List.of(time(files.chain()), time(files.key()));
    }

    private static FileTime time(Path file) throws IOException {
        return Files.getLastModifiedTime(file);
    }

    SslHandler handler(ByteBufAllocator allocator) {
        if (System.nanoTime() - looked >= LOOK_EVERY) {
            looked = System.nanoTime();
            renew();
        }
        return context.newHandler(allocator);
    }

    private void renew() {
        try {
            List<FileTime> now = times();
            if (!now.equals(times)) {
                times = now;
                context = load();
                warned = false;
                LOG.info("http: the certificate in {} was renewed", files.chain());
            }
        } catch (IOException | IllegalArgumentException e) {
            if (!warned) {
                LOG.warn("{}; the previous certificate stays in use", cannotUse(e));
            }
            warned = true;
        }
    }
}
