package io.updraft.http;

import io.updraft.base.net.ConnectionLimits;
import java.util.Comparator;
import java.util.Map;

/**
 * What a port serves, and to whom.
 *
 * @param routes the pages by path. A path that ends with a slash stands for all paths that begin with it, except {@code /},
 *     which is only the start page; the longest one that fits is taken
 * @param page answers every request instead of {@code routes}. It reads the path as sent: any path is valid. Must not wait.
 *     Null to choose by {@code routes}
 * @param filter stands before all pages
 * @param tls the certificate of the port; null for plain HTTP
 * @param limits the limits of the connections, such as {@link HttpPort#LIMITS}
 * @param maxBody the maximum length of a request's body in bytes
 * @param thread the beginning of the name of the thread that serves all connections
 */
public record HttpSite(
        Map<String, HttpRoute> routes,
        HttpPage page,
        HttpFilter filter,
        PortCertificate tls,
        ConnectionLimits.Limits limits,
        int maxBody,
        String thread) {

    private static final int MAX_BODY = 64 * 1024;

    /**
     * Creates a site of pages for people and monitoring systems.
     *
     * @param routes the pages by path
     * @param filter stands before all pages
     * @param tls the certificate of the port; null for plain HTTP
     * @param limits the limits of the connections
     */
    public HttpSite(
            Map<String, HttpRoute> routes, HttpFilter filter, PortCertificate tls, ConnectionLimits.Limits limits) {
        this(Map.copyOf(routes), null, filter, tls, limits, MAX_BODY, "updraft-http");
    }

    /**
     * {@return a site for everybody, by plain HTTP}
     *
     * @param routes the pages by path
     */
    public static HttpSite open(Map<String, HttpRoute> routes) {
        return new HttpSite(routes, HttpFilter.NONE, null, HttpPort.LIMITS);
    }

    /** Returns the route of a decoded path; null if there is none. */
    HttpRoute route(String path) {
        HttpRoute exact = routes.get(path);
        return exact != null
                ? exact
                : routes.keySet().stream()
                        .filter(each -> each.length() > 1 && each.endsWith("/") && path.startsWith(each))
                        .max(Comparator.comparingInt(String::length))
                        .map(routes::get)
                        .orElse(null);
    }
}
