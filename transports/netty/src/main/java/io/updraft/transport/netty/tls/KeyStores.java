package io.updraft.transport.netty.tls;

import io.updraft.transport.TransportException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;

/**
 * The four key stores of Storm. A process may have different identities for listening and for connecting.
 *
 * @param serverKeys this side's key for connections that it accepts
 * @param serverTrust the trusted authorities for connections that it accepts
 * @param clientKeys this side's key for connections that it opens
 * @param clientTrust the trusted authorities for connections that it opens
 */
record KeyStores(KeyStoreFile serverKeys, KeyStoreFile serverTrust, KeyStoreFile clientKeys, KeyStoreFile clientTrust)
        implements TlsSource {

    @Override
    public Stream<Path> files() {
        return Stream.of(serverKeys, serverTrust, clientKeys, clientTrust).map(KeyStoreFile::path);
    }

    @Override
    public TlsMaterial load() throws TransportException {
        return new TlsMaterial(identity(clientKeys, clientTrust), identity(serverKeys, serverTrust));
    }

    private static TlsMaterial.Identity identity(KeyStoreFile keys, KeyStoreFile trust) throws TransportException {
        KeyStoreFile.Entry own = keys.entry();
        X509Certificate[] trusted = trust.certificates();
        return new TlsMaterial.Identity(own.key(), own.chain(), trusted);
    }
}
