package io.updraft.bench.compat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One program and what has to be the same of it on both sides, beside its components and the streams that they used.
 *
 * @param name what it is called in the table; one of its kind
 * @param main the class with {@code main}
 * @param args its arguments
 * @param conf settings as for {@code storm local -c}, with their values in JSON
 * @param same what these find in the output (the first group, or all that matched), as a set, is the same
 * @param both what these find in the output is there on both sides
 * @param without what it cannot do without and is not there, so that it is not run; empty when it can be run
 * @param seconds how long its topology runs; 0 for as long as the command line says
 * @param alone whether it runs on one side after the other and beside no other such program, because it uses something that there is
 *     one of
 * @param before a command to run before each side, that what it uses is as new; may be empty
 * @param overload whether it emits without any limit, so that it depends on the speed alone whether tuples time out: failures are not compared
 * @param note what a reader of the table should know; may be empty
 */
record Program(
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

    /** {@return patterns that are to be found before there is anything to compare} */
    List<Pattern> awaited() {
        return Stream.concat(same.stream(), both.stream()).toList();
    }
}
