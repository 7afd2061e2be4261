package io.updraft.transport.contract;

/**
 * The contract of a transport as tests. A transport's module extends this once for each way in which it can run, gives its
 * {@code provider()}, and where need be {@code conf()}, {@code whyNotHere()} (it cannot run on this machine),
 * {@code whyNot(Clause)} (it cannot promise that by its nature), {@code anyPort()} and {@code manyChannels()}.
 *
 * <p>What is particular to a transport, such as garbage on its wire, it tests itself; {@link TransportOwner}, {@link ChannelRecorder} and
 * {@link MessageFlow} are there for that.
 */
public abstract class TransportContract extends MessageClauses {

    /** For subclasses. */
    protected TransportContract() {}
}
