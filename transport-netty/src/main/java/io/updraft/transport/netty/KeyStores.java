package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;

/**
 * Four stores, as Storm has them. One who listens and one who connects may be different persons.
 *
 * @param serverKeys who this side is towards those that connect to it
 * @param serverTrust who signs the certificates of those
 * @param clientKeys who this side is towards those that it connects to
 * @param clientTrust who signs the certificates of those
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
