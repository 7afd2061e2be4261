package io.updraft.storm;

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
 * Who may speak to a Thrift port, by Storm's own keys: anybody ({@code SimpleTransportPlugin}), who knows a password
 * ({@code DigestSaslTransportPlugin}), or who has a certificate (TLS). What is asked for in another way is refused: nobody is to
 * find that a port is open which he had set up to be closed.
 */
final class ThriftSecurity {
    private ThriftSecurity() {}

    /**
     * What a port without TLS speaks.
     *
     * @param type which port
     * @param conf settings as in {@code storm.yaml}
     * @param mostBytes the longest frame, bytes
     * @throws IOException when something else is asked for, or nobody could know a password; one line for users
     */
    static TTransportFactory transports(ThriftConnectionType type, Map<String, Object> conf, int mostBytes)
            throws IOException {
        String plugin = type.getTransportPlugin(conf);
        if (isForAnybody(plugin)) {
            return new TFramedTransport.Factory(mostBytes);
        }
        if (plugin.equals(DigestSaslTransportPlugin.class.getName())) {
            return digest(conf, mostBytes);
        }
        throw new IOException("the port for " + type + " is to speak '" + plugin
                + "', which is not offered: there are SimpleTransportPlugin, DigestSaslTransportPlugin, and TLS for Nimbus"
                + " (" + Config.NIMBUS_THRIFT_TLS_PORT + ")");
    }

    /** Whether Nimbus' port without TLS answers anybody. */
    static boolean isForAnybody(Map<String, Object> conf) {
        return isForAnybody(ThriftConnectionType.NIMBUS, conf);
    }

    /** Whether a port without TLS answers anybody. */
    static boolean isForAnybody(ThriftConnectionType type, Map<String, Object> conf) {
        return isForAnybody(type.getTransportPlugin(conf));
    }

    private static boolean isForAnybody(String plugin) {
        return plugin == null || plugin.equals(SimpleTransportPlugin.class.getName());
    }

    /** With the passwords of Storm's section {@code StormServer}, and without leave to act for others. */
    private static TTransportFactory digest(Map<String, Object> conf, int mostBytes) throws IOException {
        if (ClientAuthUtils.getConfiguration(conf) == null) {
            throw new IOException("DigestSaslTransportPlugin needs passwords: name a file with a section "
                    + ClientAuthUtils.LOGIN_CONTEXT_SERVER + " by java.security.auth.login.config");
        }
        JassPasswordProvider passwords = new JassPasswordProvider(conf);
        return new TTransportFactory() {
            @Override
            public TTransport getTransport(TTransport socket) throws TTransportException {
                TSaslServerTransport sasl = new LimitedSasl(socket, mostBytes);
                sasl.addServerDefinition(
                        DigestSaslTransportPlugin.DIGEST,
                        ClientAuthUtils.SERVICE,
                        Summaries.HOST,
                        null,
                        new SimpleSaslServerCallbackHandler(false, passwords));
                sasl.open();
                return sasl;
            }
        };
    }

    /** Thrift's own reads any frame that fits into an array. */
    private static final class LimitedSasl extends TSaslServerTransport {
        private final int mostBytes;

        private LimitedSasl(TTransport socket, int mostBytes) throws TTransportException {
            super(socket);
            this.mostBytes = mostBytes;
        }

        @Override
        protected int readLength() throws TTransportException {
            int length = super.readLength();
            if (length > mostBytes) {
                throw new TTransportException(
                        TTransportException.CORRUPTED_DATA, "a frame of " + length + " bytes, of " + mostBytes);
            }
            return length;
        }
    }

    /**
     * TLS with the certificate that the configuration names; who connects has to show one too, unless it says that he need not.
     *
     * @param type Nimbus' TLS
     * @param conf settings as in {@code storm.yaml}
     * @throws IOException when a certificate is missing; one line for users
     */
    static ServerTls tls(ThriftConnectionType type, Map<String, Object> conf) throws IOException {
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
                    "the certificate for " + type + " in " + type.getServerKeyStorePath(conf) + " cannot be used: "
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
            throw new IOException("TLS needs " + key + " and the password that belongs to it ("
                    + key.replace(".path", ".password") + ")");
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
