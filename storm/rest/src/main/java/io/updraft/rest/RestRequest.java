package io.updraft.rest;

import java.util.List;
import java.util.Map;

/**
 * A request to the REST API.
 *
 * @param method the HTTP method, in capitals
 * @param path the path as in the request line: percent-encoded, without the query, from {@code /api/v1/}
 * @param parameters the parameters of the query, decoded, by name
 * @param body the body, or an empty string
 * @param user the authenticated user, or null
 */
public record RestRequest(String method, String path, Map<String, List<String>> parameters, String body, String user) {}
