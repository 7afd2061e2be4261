package io.updraft.storm.thrift;

import io.updraft.storm.thrift.ThriftService.ServerTls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.storm.Config;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.digest.DigestSaslTransportPlugin;
import org.apache.storm.security.auth.digest.JassPasswordProvider;
import org.apache.storm.security.auth.sasl.SimpleSaslServerCallbackHandler;
import org.apache.storm.thrift.transport.TSaslServerTransport;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.thrift.transport.TTransportFactory;
import org.apache.storm.thrift.transport.layered.TFramedTransport;
import org.apache.storm.utils.SecurityUtils;

/**
 * The authentication of a Thrift port, by Storm's own settings: none ({@code SimpleTransportPlugin}), a password ({@code
 * DigestSaslTransportPlugin}), or a certificate (TLS). Any other setting is refused, so that a port that was configured as
 * protected is never open to all clients.
 */
public final class ThriftSecurity {
    /** The server's name in the exchange of passwords, as from Storm's servers. */
    private static final String SERVER_NAME = "localhost";

    private ThriftSecurity() {}

    /**
     * Returns the transport of a port without TLS, for frames of up to {@code maxBytes}; the message of an exception is one
     * line for users.
     */
    public static TTransportFactory transports(ThriftConnectionType type, Map<String, Object> conf, int maxBytes)
            throws IOException {
        String plugin = type.getTransportPlugin(conf);
        if (isForAnybody(plugin)) {
            return new TFramedTransport.Factory(maxBytes);
        }
        if (plugin.equals(DigestSaslTransportPlugin.class.getName())) {
            return digest(conf, maxBytes);
        }
        throw new IOException("the port for " + type + " is configured for '" + plugin
                + "', which is not supported; use SimpleTransportPlugin, DigestSaslTransportPlugin, or TLS for Nimbus"
                + " (" + Config.NIMBUS_THRIFT_TLS_PORT + ")");
    }

    /** Returns whether a port without TLS requires no authentication. */
    public static boolean isForAnybody(ThriftConnectionType type, Map<String, Object> conf) {
        return isForAnybody(type.getTransportPlugin(conf));
    }

    private static boolean isForAnybody(String plugin) {
        return plugin == null || plugin.equals(SimpleTransportPlugin.class.getName());
    }

    /** Uses the passwords of Storm's section {@code StormServer}. Clients cannot act on behalf of other users. */
    private static TTransportFactory digest(Map<String, Object> conf, int maxBytes) throws IOException {
        if (ClientAuthUtils.getConfiguration(conf) == null) {
            throw new IOException("DigestSaslTransportPlugin needs passwords: name a file with a section "
                    + ClientAuthUtils.LOGIN_CONTEXT_SERVER + " in java.security.auth.login.config");
        }
        JassPasswordProvider passwords = new JassPasswordProvider(conf);
        return new TTransportFactory() {
            @Override
            public TTransport getTransport(TTransport socket) throws TTransportException {
                TSaslServerTransport sasl = new LimitedSasl(socket, maxBytes);
                sasl.addServerDefinition(
                        DigestSaslTransportPlugin.DIGEST,
                        ClientAuthUtils.SERVICE,
                        SERVER_NAME,
                        null,
                        new SimpleSaslServerCallbackHandler(false, passwords));
                sasl.open();
                return sasl;
            }
        };
    }

    /** Limits the length of a frame; Thrift's own transport reads any frame that fits into an array. */
    private static final class LimitedSasl extends TSaslServerTransport {
        private final int maxBytes;

        private LimitedSasl(TTransport socket, int maxBytes) throws TTransportException {
            super(socket);
            this.maxBytes = maxBytes;
        }

        @Override
        protected int readLength() throws TTransportException {
            int length = super.readLength();
            if (length > maxBytes) {
                throw new TTransportException(
                        TTransportException.CORRUPTED_DATA, "a frame of " + length + " bytes exceeds " + maxBytes);
            }
            return length;
        }
    }

    /**
     * Returns TLS with the configured certificate. Clients must show one too, unless the configuration says otherwise. The
     * message of an exception is one line for users.
     */
    public static ServerTls tls(ThriftConnectionType type, Map<String, Object> conf) throws IOException {
        return new ServerTls(context(type, conf), type.isClientAuthRequired(conf));
    }

    private static SSLContext context(ThriftConnectionType type, Map<String, Object> conf) throws IOException {
        String password = type.getServerKeyStorePassword(conf);
        KeyStore own = read(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PATH, type.getServerKeyStorePath(conf), password);
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, password.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted(type, conf), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "cannot use the certificate for " + type + " in " + type.getServerKeyStorePath(conf) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static TrustManager[] trusted(ThriftConnectionType type, Map<String, Object> conf)
            throws IOException, GeneralSecurityException {
        if (!type.isClientAuthRequired(conf)) {
            return new TrustManager[0];
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(read(
                Config.NIMBUS_THRIFT_TLS_SERVER_TRUSTSTORE_PATH,
                type.getServerTrustStorePath(conf),
                type.getServerTrustStorePassword(conf)));
        return trust.getTrustManagers();
    }

    private static KeyStore read(String key, String path, String password) throws IOException {
        if (path == null || password == null) {
            throw new IOException("TLS needs " + key + " and its password (" + key.replace(".path", ".password") + ")");
        }
        String type = SecurityUtils.inferKeyStoreTypeFromPath(path);
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            KeyStore store = KeyStore.getInstance(type == null ? KeyStore.getDefaultType() : type);
            store.load(in, password.toCharArray());
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException(key + ": " + path + " cannot be read: " + e, e);
        }
    }
}
