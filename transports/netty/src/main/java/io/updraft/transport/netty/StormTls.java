package io.updraft.transport.netty;

import io.updraft.base.conf.ConfReader;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLSocketFactory;

/**
 * Storm's keys for TLS between workers, with their meanings in {@code NettyTlsUtils} of Storm 2.8. Both ends show certificates.
 * Host names are not verified unless {@link Tls#VERIFY_HOST} is set. If there are no stores for connecting, the stores for
 * listening serve for both. Settings without an equivalent here are refused.
 */
final class StormTls {

    static final String PREFIX = "storm.messaging.netty.tls.";
    public static final String REQUIRE_OPEN_SSL = PREFIX + "require.open.ssl";
    public static final String PROTOCOLS = PREFIX + "ssl.protocols";
    public static final String CIPHERS = PREFIX + "ciphers";
    public static final String KEYSTORE = PREFIX + "keystore";
    public static final String TRUSTSTORE = PREFIX + "truststore";
    public static final String CLIENT_KEYSTORE = PREFIX + "client.keystore";
    public static final String CLIENT_TRUSTSTORE = PREFIX + "client.truststore";

    private static final String LATEST = "TLSv1.3";
    private static final Set<String> SUITES_OF_LATEST =
            Set.of("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256");

    private final Map<String, Object> conf;
    private final ConfReader reader;

    StormTls(Map<String, Object> conf) {
        this.conf = conf;
        reader = new ConfReader(conf);
    }

    TlsSource source() throws TransportException {
        KeyStoreFile keys = store(KEYSTORE);
        KeyStoreFile trust = store(TRUSTSTORE);
        KeyStoreFile clientKeys = storeOr(CLIENT_KEYSTORE, keys);
        KeyStoreFile clientTrust = storeOr(CLIENT_TRUSTSTORE, trust);
        return new TlsSource(
                List.of(keys.path(), trust.path(), clientKeys.path(), clientTrust.path()),
                () -> new TlsSource.Contents(clientKeys.identity(clientTrust), keys.identity(trust)));
    }

    Tls.Rules rules() throws TransportException {
        if (reader.flag(REQUIRE_OPEN_SSL, false)) {
            throw new TransportException(
                    REQUIRE_OPEN_SSL + " is true, but Updraft uses the JDK's TLS and not OpenSSL: set it to false");
        }
        String protocol = reader.choice(PROTOCOLS, LATEST, List.of(LATEST, "TLSv1.2"));
        return new Tls.Rules(true, reader.flag(Tls.VERIFY_HOST, false), protocol, ciphers(protocol));
    }

    private List<String> ciphers(String protocol) throws TransportException {
        Object value = conf.get(CIPHERS);
        if (value == null) {
            return List.of();
        }
        List<String> names = value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of(value.toString());
        for (String name : names) {
            if (protocol.equals(LATEST) != SUITES_OF_LATEST.contains(name) || !isKnown(name)) {
                throw new TransportException(CIPHERS + " has '" + name + "', which is not a cipher suite of " + protocol
                        + " in this JVM" + (protocol.equals(LATEST) ? "; the suites are " + SUITES_OF_LATEST : ""));
            }
        }
        return names;
    }

    private static boolean isKnown(String suite) {
        SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
        return List.of(sockets.getSupportedCipherSuites()).contains(suite);
    }

    private KeyStoreFile storeOr(String name, KeyStoreFile otherwise) throws TransportException {
        return reader.text(name + ".path").isPresent() ? store(name) : otherwise;
    }

    private KeyStoreFile store(String name) throws TransportException {
        return new KeyStoreFile(
                name + ".path",
                Path.of(required(name + ".path")),
                required(name + ".password").toCharArray());
    }

    private String required(String key) throws TransportException {
        return reader.text(key)
                .orElseThrow(() -> new TransportException(
                        key + " is not set, but " + TransportOptions.STORM_TLS + " is true: set both or none"));
    }
}
