package io.updraft.flux;

/** An included file, which may be a resource of the class path, and whether its entries replace those of the including file. */
record IncludeSpec(SourcePosition where, String file, boolean resource, boolean override) {}
