/**
 * An HTTP server on Netty that knows nothing about what it serves. A site of pages is an {@link io.updraft.http.HttpSite} on an
 * {@link io.updraft.http.HttpPort}.
 */
package io.updraft.http;
