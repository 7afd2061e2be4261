package io.updraft.transport.netty;

import io.updraft.transport.TransportProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A setup for the contract tests: one kernel interface and further settings.
 *
 * @param io the kernel interface
 * @param conf the configuration with these settings
 */
record NettySetup(NettyIo io, Map<String, Object> conf) {

    static NettySetup of(NettyIo io, Map<String, Object> more) {
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(NettySettings.IO, io.name().toLowerCase(Locale.ROOT));
        return new NettySetup(io, conf);
    }

    /** {@return a configuration with TLS, whose certificates are written into a folder} */
    static Map<String, Object> tls(Path folder) throws Exception {
        return Certificates.authority("everybody").member("worker").writeTo(folder);
    }

    /** {@return a configuration with compression on top of it} */
    static Map<String, Object> compressed(Map<String, Object> conf, String by) {
        Map<String, Object> both = new HashMap<>(conf);
        both.put(NettySettings.COMPRESS, by);
        return both;
    }

    TransportProvider provider() {
        return new NettyTransportProvider();
    }

    /** {@return why this way cannot be gone here, empty if it can} */
    Optional<String> whyNotHere() {
        return Optional.ofNullable(io.whyNot()).map(FailureReasons::root);
    }
}
