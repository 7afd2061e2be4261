package io.updraft.storm;

/**
 * The address of Nimbus that clients receive.
 *
 * @param host the host name
 * @param port the port without TLS
 * @param tlsPort the port with TLS; 0 if there is none
 */
record NimbusAddress(String host, int port, int tlsPort) {

    /** A placeholder where no port is open: Storm's default port. */
    public static final NimbusAddress NONE = new NimbusAddress(ClusterSummaries.HOST, 6627, 0);
}
