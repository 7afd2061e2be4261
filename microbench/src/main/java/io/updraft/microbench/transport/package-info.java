/** What transports cost, measured without anything above them. */
package io.updraft.microbench.transport;
