package io.updraft.transport.netty;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.updraft.base.conf.ConfReader;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS with certificates from files. Before each connection the files are checked, and read again if they have changed. If they
 * cannot be used, a warning is logged and the previous certificates stay in use. Owner only.
 */
final class Tls {

    public static final String ENABLED = TransportOptions.TLS;
    public static final String CERT = "updraft.transport.tls.cert";
    public static final String KEY = "updraft.transport.tls.key";
    public static final String TRUST = "updraft.transport.tls.trust";
    public static final String CLIENT_AUTH = "updraft.transport.tls.client.auth";
    public static final String VERIFY_HOST = "updraft.transport.tls.verify.host";

    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    private final TlsSource files;
    private final Rules rules;
    private List<String> stamp;
    private Contexts contexts;

    /**
     * The settings that both ends must follow.
     *
     * @param clientAuth whether the connecting side must show a certificate
     * @param verifyHost whether the certificate of the listening side must name the host to which the connection was made
     * @param protocol the version of TLS
     * @param ciphers the names of the cipher suites; empty for the default ones
     */
    record Rules(boolean clientAuth, boolean verifyHost, String protocol, List<String> ciphers) {}

    /**
     * The TLS contexts made from one state of the files.
     *
     * @param client the context for connections that this side opens
     * @param server the context for connections that this side accepts
     */
    private record Contexts(SslContext client, SslContext server) {

        static Contexts load(TlsSource source, Rules rules) throws TransportException {
            TlsSource.Contents contents = source.loader().load();
            TlsSource.Identity identity = contents.client();
            TlsSource.Identity listening = contents.server();
            SslContextBuilder client = SslContextBuilder.forClient()
                    .keyManager(identity.key(), identity.chain())
                    .endpointIdentificationAlgorithm(rules.verifyHost() ? "HTTPS" : null);
            SslContextBuilder server = SslContextBuilder.forServer(listening.key(), listening.chain())
                    .clientAuth(rules.clientAuth() ? ClientAuth.REQUIRE : ClientAuth.NONE);
            return new Contexts(finish(client, identity, rules), finish(server, listening, rules));
        }

        private static SslContext finish(SslContextBuilder builder, TlsSource.Identity identity, Rules rules)
                throws TransportException {
            try {
                return builder.sslProvider(SslProvider.JDK)
                        .protocols(rules.protocol())
                        .ciphers(rules.ciphers().isEmpty() ? null : rules.ciphers())
                        .trustManager(identity.trust())
                        .build();
            } catch (SSLException | IllegalArgumentException unusable) {
                throw new TransportException(
                        rules.protocol() + " cannot be used with these certificates: " + FailureReasons.root(unusable),
                        unusable);
            }
        }
    }

    private Tls(TlsSource files, Rules rules) throws TransportException {
        this.files = files;
        this.rules = rules;
        stamp = files.stamp();
        contexts = Contexts.load(files, rules);
    }

    /** Reads Updraft's or Storm's TLS keys of a configuration; empty when TLS is off. */
    public static Optional<Tls> of(Map<String, Object> conf) throws TransportException {
        ConfReader reader = new ConfReader(conf);
        boolean enabled = reader.flag(ENABLED, false);
        if (!reader.flag(TransportOptions.STORM_TLS, false)) {
            return enabled ? Optional.of(ofPem(conf, reader)) : Optional.empty();
        }
        if (enabled) {
            throw new TransportException(
                    ENABLED + " and " + TransportOptions.STORM_TLS + " are both true: set one of them to false");
        }
        StormTls storm = new StormTls(conf);
        return Optional.of(new Tls(storm.source(), storm.rules()));
    }

    private static Tls ofPem(Map<String, Object> conf, ConfReader reader) throws TransportException {
        TlsSource files = PemSource.of(path(conf, CERT), path(conf, KEY), path(conf, TRUST));
        boolean clientAuth = reader.flag(CLIENT_AUTH, true);
        return new Tls(files, new Rules(clientAuth, reader.flag(VERIFY_HOST, true), "TLSv1.3", List.of()));
    }

    private static Path path(Map<String, Object> conf, String key) throws TransportException {
        Object value = conf.get(key);
        if (value == null) {
            throw new TransportException(key + " is not set: " + ENABLED + " requires the path of a PEM file");
        }
        return Path.of(value.toString());
    }

    public boolean isMutual() {
        return rules.clientAuth();
    }

    public String protocol() {
        return rules.protocol();
    }

    public SslHandler server(long handshakeNanos) {
        reload();
        return within(handshakeNanos, contexts.server().newHandler(PooledByteBufAllocator.DEFAULT));
    }

    public SslHandler client(Address to, long handshakeNanos) {
        reload();
        return within(
                handshakeNanos, contexts.client().newHandler(PooledByteBufAllocator.DEFAULT, to.host(), to.port()));
    }

    private static SslHandler within(long handshakeNanos, SslHandler handler) {
        handler.setHandshakeTimeout(handshakeNanos, TimeUnit.NANOSECONDS);
        return handler;
    }

    private void reload() {
        List<String> now = files.stamp();
        if (now.equals(stamp)) {
            return;
        }
        stamp = now;
        try {
            contexts = Contexts.load(files, rules);
            LOG.info("TLS: the certificates have changed; new connections use them");
        } catch (TransportException unusable) {
            LOG.warn("TLS: the certificates have changed, but the old ones stay in use: {}", unusable.getMessage());
        } catch (RuntimeException unforeseen) {
            LOG.warn("TLS: the certificates have changed, but the old ones stay in use", unforeseen);
        }
    }
}
