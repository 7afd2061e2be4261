package io.updraft.transport.netty;

import io.netty.handler.ssl.SslHandler;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 from PEM files. Looks at the files before each connection, and reads them again if they have changed; when they
 * cannot be used, it says so and goes on with those it had. Owner only.
 */
final class Tls {

    static final String ENABLED = "updraft.transport.tls.enabled";
    static final String CERT = "updraft.transport.tls.cert";
    static final String KEY = "updraft.transport.tls.key";
    static final String TRUST = "updraft.transport.tls.trust";
    static final String CLIENT_AUTH = "updraft.transport.tls.client.auth";
    static final String VERIFY_HOST = "updraft.transport.tls.verify.host";

    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    private final TlsFiles files;
    private final boolean clientAuth;
    private final boolean verifyHost;
    private TlsFiles.Stamp stamp;
    private TlsContexts contexts;

    private Tls(TlsFiles files, boolean clientAuth, boolean verifyHost) throws TransportException {
        this.files = files;
        this.clientAuth = clientAuth;
        this.verifyHost = verifyHost;
        stamp = files.stamp();
        contexts = TlsContexts.load(files, clientAuth, verifyHost);
    }

    /** Reads what the configuration says; empty when TLS is off. */
    static Optional<Tls> of(Map<String, Object> conf) throws TransportException {
        if (!NettySettings.flag(conf, ENABLED, false)) {
            return Optional.empty();
        }
        TlsFiles files = new TlsFiles(path(conf, CERT), path(conf, KEY), path(conf, TRUST));
        return Optional.of(new Tls(
                files, NettySettings.flag(conf, CLIENT_AUTH, true), NettySettings.flag(conf, VERIFY_HOST, true)));
    }

    private static Path path(Map<String, Object> conf, String key) throws TransportException {
        Object value = conf.get(key);
        if (value == null) {
            throw new TransportException(key + " is not set: " + ENABLED + " needs the path of a PEM file there");
        }
        return Path.of(value.toString());
    }

    SslHandler server(long handshakeNanos) {
        reload();
        return within(handshakeNanos, contexts.server().newHandler(NettyTransport.ALLOCATOR));
    }

    SslHandler client(Address to, long handshakeNanos) {
        reload();
        return within(handshakeNanos, contexts.client().newHandler(NettyTransport.ALLOCATOR, to.host(), to.port()));
    }

    private static SslHandler within(long handshakeNanos, SslHandler handler) {
        handler.setHandshakeTimeout(handshakeNanos, TimeUnit.NANOSECONDS);
        return handler;
    }

    private void reload() {
        TlsFiles.Stamp now = files.stamp();
        if (now.equals(stamp)) {
            return;
        }
        stamp = now;
        try {
            contexts = TlsContexts.load(files, clientAuth, verifyHost);
            LOG.info("TLS: the certificates have changed and apply from now on");
        } catch (TransportException unusable) {
            LOG.warn("TLS: the certificates have changed, but the old ones stay: {}", unusable.getMessage());
        }
    }
}
