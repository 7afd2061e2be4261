package io.updraft.timeseries.decode;

import java.util.List;

/** Checks that the paths of a {@link DecodeSpec} fit together. */
final class JsonPaths {

    private JsonPaths() {}

    /** Checks paths. Finds the exploded path if only the columns name it. Returns the exploded path, or null. */
    static String check(String explode, List<DecodedColumn> columns) {
        String exploded = explode != null ? explode : impliedExplode(columns);
        JsonPath path = exploded == null ? null : parseExplode(exploded);
        for (DecodedColumn column : columns) {
            checkColumn(column, path, exploded);
        }
        return exploded;
    }

    /** Returns the path of a column. The path of a field of an element is relative to the element. */
    static JsonPath resolve(DecodedColumn column) {
        JsonPath path = JsonPath.parse(column.path());
        int all = path.all();
        return all < 0
                ? path
                : new JsonPath(
                        JsonPath.Root.ELEMENT,
                        path.steps().subList(all + 1, path.steps().size()));
    }

    static JsonPath explode(DecodeSpec spec) {
        return parseExplode(spec.explode());
    }

    private static String impliedExplode(List<DecodedColumn> columns) {
        for (DecodedColumn column : columns) {
            int star = column.path().indexOf("[*]");
            if (star >= 0 && JsonPath.parse(column.path()).all() >= 0) {
                return star == 0 ? "@" : column.path().substring(0, star);
            }
        }
        return null;
    }

    private static JsonPath parseExplode(String text) {
        // The record itself is an array: the path has no steps, and is written like an element.
        JsonPath path = text.equals("@") ? new JsonPath(JsonPath.Root.RECORD, List.of()) : JsonPath.parse(text);
        if (path.root() != JsonPath.Root.RECORD || path.all() >= 0) {
            throw new IllegalArgumentException(
                    "explode " + text + " must be the path of an array or object in the record");
        }
        return path;
    }

    private static void checkColumn(DecodedColumn column, JsonPath exploded, String explode) {
        JsonPath path = JsonPath.parse(column.path());
        if (path.root() != JsonPath.Root.RECORD && exploded == null) {
            throw wrong(column, "belongs to an element, but nothing is exploded");
        }
        int all = path.all();
        if (all >= 0 && (path.root() != JsonPath.Root.RECORD || path.steps().lastIndexOf(JsonPath.ALL) != all)) {
            throw wrong(column, "has more than one [*]: only one array of a record can be exploded");
        }
        if (all >= 0 && (all != exploded.steps().size() || !path.startsWith(exploded))) {
            throw wrong(column, "explodes something other than " + explode);
        }
        if (all < 0 && path.root() == JsonPath.Root.RECORD && exploded != null && path.startsWith(exploded)) {
            throw wrong(column, "is inside the exploded value: begin it with @ for a field of an element");
        }
    }

    private static IllegalArgumentException wrong(DecodedColumn column, String what) {
        return new IllegalArgumentException("path " + column.path() + " of column " + column.name() + " " + what);
    }
}
