package io.updraft.storm;

/**
 * Where clients are told to find Nimbus.
 *
 * @param host its name
 * @param port its port without TLS
 * @param tlsPort its port with TLS; 0 if there is none
 */
record NimbusAddress(String host, int port, int tlsPort) {

    /** Storm's default; nothing listens there unless asked to. */
    static final int STORMS_PORT = 6627;
}
