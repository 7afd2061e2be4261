package io.updraft.storm;

/**
 * The address of Nimbus that clients receive.
 *
 * @param host the host name
 * @param port the port without TLS
 * @param tlsPort the port with TLS; 0 if there is none
 */
record NimbusAddress(String host, int port, int tlsPort) {

    /** Storm's default port; used as a placeholder where no port is open. */
    static final int STORMS_PORT = 6627;
}
