package io.updraft.transport.netty.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.updraft.transport.TransportException;
import io.updraft.transport.netty.tls.TlsMaterial.Identity;
import javax.net.ssl.SSLException;

/**
 * The TLS contexts made from one state of the files.
 *
 * @param client the context for connections that this side opens
 * @param server the context for connections that this side accepts
 */
record TlsContexts(SslContext client, SslContext server) {

    static TlsContexts load(TlsSource source, TlsRules rules) throws TransportException {
        TlsMaterial material = source.load();
        Identity own = material.client();
        Identity listening = material.server();
        SslContextBuilder client = SslContextBuilder.forClient()
                .keyManager(own.key(), own.chain())
                .endpointIdentificationAlgorithm(rules.verifyHost() ? "HTTPS" : null);
        SslContextBuilder server = SslContextBuilder.forServer(listening.key(), listening.chain())
                .clientAuth(rules.clientAuth() ? ClientAuth.REQUIRE : ClientAuth.NONE);
        return new TlsContexts(finish(client, own, rules), finish(server, listening, rules));
    }

    private static SslContext finish(SslContextBuilder builder, Identity identity, TlsRules rules)
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
