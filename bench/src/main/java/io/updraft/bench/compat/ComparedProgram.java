package io.updraft.bench.compat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program to compare, with rules in addition to its components and their streams.
 *
 * @param name the program's unique name, for the table
 * @param main the name of the class with {@code main}
 * @param args its arguments
 * @param conf settings as for {@code storm local -c}, with JSON values
 * @param same patterns whose matches in the output (group 1, or the whole match) must be the same set on both sides
 * @param both patterns that must match somewhere in the output of both sides
 * @param without the missing requirement because of which the program is not run; empty if it is run
 * @param seconds how long the topology runs; 0 for the value of the command line
 * @param alone whether the two sides run one after the other, because the program uses a resource that exists only once
 * @param before a command that resets the program's resources, run before each side; may be empty
 * @param overload whether the program emits without limit, so that tuples time out depending on speed; failures are then not
 *     compared
 * @param note a note for readers of the table; may be empty
 */
record ComparedProgram(
        String name,
        String main,
        List<String> args,
        Map<String, String> conf,
        List<Pattern> same,
        List<Pattern> both,
        String without,
        int seconds,
        boolean alone,
        List<String> before,
        boolean overload,
        String note) {

    /** {@return the patterns that must match the output before the comparison makes sense} */
    List<Pattern> awaited() {
        return Stream.concat(same.stream(), both.stream()).toList();
    }
}
