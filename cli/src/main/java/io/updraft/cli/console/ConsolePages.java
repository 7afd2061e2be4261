package io.updraft.cli.console;

/** The paths of the console. */
final class ConsolePages {
    static final String FILES = "/console/files/";

    private ConsolePages() {}
}
