package io.updraft.transport.contract;

/**
 * Parts of the contract that a transport may be unable to fulfil where it runs. The transport then gives the reason, and the
 * tests are skipped.
 */
public enum ContractClause {
    /** Listening where another listens already is refused. */
    PORTS_ARE_EXCLUSIVE,
    /** A peer that allows shorter messages closes the channel of one that sends longer ones. */
    LENGTH_IS_CHECKED_BY_THE_RECEIVER,
    /** A transport with nothing to do waits without using the processor. */
    WAITING_COSTS_LITTLE
}
