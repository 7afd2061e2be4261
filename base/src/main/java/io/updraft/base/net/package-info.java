/** Ports: the limits of their connections, and why one cannot be opened. */
package io.updraft.base.net;
