package io.updraft.flux;

/**
 * An included file.
 *
 * @param where the place of the include
 * @param file the name of the included file
 * @param resource whether the file is a resource of the class path
 * @param override whether its entries replace those of the including file
 */
record IncludeSpec(Where where, String file, boolean resource, boolean override) {}
