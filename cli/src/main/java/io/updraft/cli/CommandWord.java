package io.updraft.cli;

/** The word of a command line that names the command. */
final class CommandWord {
    private CommandWord() {}

    /** Returns the first argument that is no option; an empty text if there is none. No option of the whole program has a value. */
    static String of(String... args) {
        for (String arg : args) {
            if (!arg.startsWith("-")) {
                return arg;
            }
        }
        return "";
    }
}
