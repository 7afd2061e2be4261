package io.updraft.transport.aeron;

import io.updraft.transport.Address;
import java.util.SplittableRandom;

/**
 * Names of streams. Over UDP all channels use one stream, and a port tells whom they go to; in shared memory the number of the
 * stream does.
 *
 * @param shared whether this is shared memory
 * @param termBytes bytes of a term
 * @param loopbackMtu bytes of a datagram to this host itself
 */
record Medium(boolean shared, int termBytes, int loopbackMtu) {

    private static final int STREAM = 1_001;
    private static final int FIRST_FREE_PORT = 1_024;
    private static final int PORTS = 65_536;
    private static final String ANY_PORT_FOR_ANSWERS = "aeron:udp?endpoint=0.0.0.0:0";
    private static final String SHARED_MEMORY = "aeron:ipc";

    String listenUri(Address address) {
        return shared ? SHARED_MEMORY : "aeron:udp?endpoint=" + address;
    }

    String answersUri() {
        return shared ? SHARED_MEMORY : ANY_PORT_FOR_ANSWERS;
    }

    String publicationUri(Address to) {
        String terms = "term-length=" + termBytes;
        if (shared) {
            return SHARED_MEMORY + "?" + terms;
        }
        return "aeron:udp?endpoint=" + to + "|" + terms + (isLoopback(to.host()) ? "|mtu=" + loopbackMtu : "");
    }

    /** As far as the name tells: to look it up would take time. */
    private static boolean isLoopback(String host) {
        return host.startsWith("127.") || host.equals("localhost") || host.equals("::1");
    }

    /** {@return the stream of whoever listens at a port} */
    int stream(int port) {
        return shared ? port : STREAM;
    }

    /** {@return a port to listen at, where the medium has none to choose} */
    static int anyPort(SplittableRandom random) {
        return random.nextInt(FIRST_FREE_PORT, PORTS);
    }

    /** {@return a stream for answers: below zero, so that no binding has it} */
    static int anyStreamForAnswers(SplittableRandom random) {
        return random.nextInt(Integer.MIN_VALUE, 0);
    }

    /**
     * Says where a peer wants its answer.
     *
     * @param source where its datagrams come from, as Aeron writes it
     * @param answerTo what it says itself: a port, or a stream
     * @return the address, null if there is none such
     */
    Address answerAddress(String source, int answerTo) {
        if (shared) {
            return new Address("ipc", 0);
        }
        int colon = source.lastIndexOf(':');
        // The host is where it really is, not where it says: nobody can have us send to a third party.
        String host =
                colon < 0 ? source : source.substring(0, colon).replace("[", "").replace("]", "");
        return answerTo <= 0 || answerTo >= PORTS || host.isBlank() ? null : new Address(host, answerTo);
    }

    int answerStream(int answerTo) {
        return shared ? answerTo : STREAM;
    }
}
