package io.updraft.transport.netty.tls;

import java.util.List;

/**
 * The TLS settings that both ends must follow.
 *
 * @param clientAuth whether the connecting side must show a certificate
 * @param verifyHost whether the certificate of the listening side must name the host to which the connection was made
 * @param protocol the version of TLS
 * @param ciphers the names of the cipher suites; empty for the default ones
 */
record TlsRules(boolean clientAuth, boolean verifyHost, String protocol, List<String> ciphers) {}
