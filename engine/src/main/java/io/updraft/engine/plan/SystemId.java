package io.updraft.engine.plan;

/** The ids of components and streams that the system adds. The first call of Storm's check would read Storm's defaults. */
final class SystemId {

    private static final String PREFIX = "__";

    private SystemId() {}

    static boolean is(String id) {
        return id.startsWith(PREFIX);
    }
}
