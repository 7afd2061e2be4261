package io.updraft.flux;

/**
 * A file whose contents count as well.
 *
 * @param where where it is named
 * @param file its name
 * @param resource whether it is a resource of the class path
 * @param override whether what it says wins
 */
record IncludeSpec(Where where, String file, boolean resource, boolean override) {}
