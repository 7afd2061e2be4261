package io.updraft.storm.cluster;

/** The address of Nimbus that clients receive; the port with TLS is 0 if there is none. */
public record NimbusAddress(String host, int port, int tlsPort) {

    /** A placeholder where no port is open: Storm's default port. */
    public static final NimbusAddress NONE = new NimbusAddress(ClusterSummaries.HOST, 6627, 0);
}
