package io.updraft.storm;

import java.io.IOException;
import java.net.Socket;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.transport.TTransportFactory;

/**
 * What a port offers, and to whom.
 *
 * @param mostBytes the longest frame, the longest text, and the most elements of a list, that are read
 * @param users who of this host may connect
 * @param tls null for none
 * @param transports what is spoken over the socket, beneath Thrift's binary protocol
 * @param processor what answers, on the connections' threads
 */
record ThriftService(
        int mostBytes, AllowedUsers users, ServerTls tls, TTransportFactory transports, TProcessor processor) {

    /** The socket to speak through. */
    Socket wrap(Socket socket) throws IOException {
        return tls == null ? socket : tls.over(socket);
    }
}
