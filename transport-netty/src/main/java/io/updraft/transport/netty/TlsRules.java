package io.updraft.transport.netty;

import java.util.List;

/**
 * What both ends have to keep to.
 *
 * @param clientAuth whether who connects must show a certificate
 * @param verifyHost whether the certificate of who listens must name the host that was connected to
 * @param protocol the version of TLS
 * @param ciphers cipher suites by their names; empty for those that are usual
 */
record TlsRules(boolean clientAuth, boolean verifyHost, String protocol, List<String> ciphers) {}
