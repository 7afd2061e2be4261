package io.updraft.storm;

/**
 * Where clients are told to find Nimbus.
 *
 * @param host its name
 * @param port its port
 */
record NimbusAddress(String host, int port) {

    /** Storm's default; nothing listens there unless asked to. */
    static final int STORMS_PORT = 6627;
}
