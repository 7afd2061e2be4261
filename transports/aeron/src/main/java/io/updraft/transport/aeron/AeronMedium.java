package io.updraft.transport.aeron;

import io.updraft.transport.Address;
import java.util.SplittableRandom;

/**
 * Builds the names of channels and streams. Over UDP all channels use one stream, and the port selects the receiver. In shared
 * memory the number of the stream selects the receiver.
 *
 * @param termBytes bytes of a term
 * @param loopbackMtu bytes of a datagram to this host
 */
record AeronMedium(boolean shared, int termBytes, int loopbackMtu) {

    private static final int STREAM = 1_001;
    private static final int FIRST_FREE_PORT = 1_024;
    private static final int PORTS = 65_536;
    private static final String SHARED_MEMORY = "aeron:ipc";

    String listenUri(Address address) {
        return shared ? SHARED_MEMORY : "aeron:udp?endpoint=" + address;
    }

    String publicationUri(Address to) {
        String terms = "term-length=" + termBytes;
        if (shared) {
            return SHARED_MEMORY + "?" + terms;
        }
        return "aeron:udp?endpoint=" + to + "|" + terms + (isLoopback(to.host()) ? "|mtu=" + loopbackMtu : "");
    }

    /** Whether the name denotes this host, as far as the text shows: a lookup would take time. */
    private static boolean isLoopback(String host) {
        return host.startsWith("127.") || host.equals("localhost") || host.equals("::1");
    }

    /** {@return the stream of a receiver: of the binding at a port, or for answers} */
    int stream(int inSharedMemory) {
        return shared ? inSharedMemory : STREAM;
    }

    /** {@return a random port to listen at, for the medium that does not choose one} */
    static int anyPort(SplittableRandom random) {
        return random.nextInt(FIRST_FREE_PORT, PORTS);
    }

    /** {@return a random stream for answers: negative, so that no binding has it} */
    static int anyStreamForAnswers(SplittableRandom random) {
        return random.nextInt(Integer.MIN_VALUE, 0);
    }

    /**
     * Returns the address to which a peer wants its answer.
     *
     * @param source the source of the peer's datagrams, as Aeron writes it
     * @param answerTo the port or stream that the peer has sent
     * @return the address, or null if the port is invalid
     */
    Address answerAddress(String source, int answerTo) {
        if (shared) {
            return new Address("ipc", 0);
        }
        int colon = source.lastIndexOf(':');
        // The host is the datagrams' real source, not one that the peer names: a peer must not direct answers to a
        // third party.
        String host =
                colon < 0 ? source : source.substring(0, colon).replace("[", "").replace("]", "");
        return answerTo <= 0 || answerTo >= PORTS || host.isBlank() ? null : new Address(host, answerTo);
    }
}
