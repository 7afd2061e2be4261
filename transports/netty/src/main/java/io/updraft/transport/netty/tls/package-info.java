/** TLS of the transport: keys, certificates, rules. */
package io.updraft.transport.netty.tls;
