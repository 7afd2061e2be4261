package io.updraft.observe.profile;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * Stacks with their numbers. A stack is text: the frames, outermost first, with {@code ;} between them. A frame of Java code is the
 * name of its class, a dot, and the name of its method; {@code /} separates packages. It may end with async-profiler's mark of its
 * kind, such as {@code _[j]} for compiled code.
 */
final class SampledStacks {
    private final Map<String, Long> numbers = new TreeMap<>();

    /** Reads async-profiler's output: on each line a stack, a space and a number. */
    static SampledStacks parse(String collapsed) {
        SampledStacks stacks = new SampledStacks();
        collapsed.lines().forEach(line -> {
            int space = line.lastIndexOf(' ');
            if (space > 0) {
                stacks.add(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
            }
        });
        return stacks;
    }

    void add(String stack, long number) {
        numbers.merge(stack, number, Long::sum);
    }

    long total() {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@return the stacks with a frame of one of the classes, or of a class nested in one} */
    SampledStacks of(Set<String> classes) {
        SampledStacks chosen = new SampledStacks();
        numbers.forEach((stack, number) -> {
            if (hasFrameOf(stack, classes)) {
                chosen.add(stack, number);
            }
        });
        return chosen;
    }

    private static boolean hasFrameOf(String stack, Set<String> classes) {
        for (String frame : stack.split(";")) {
            int method = frame.lastIndexOf('.');
            if (method > 0 && isOwn(frame.substring(0, method).replace('/', '.'), classes)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOwn(String type, Set<String> classes) {
        int end = type.length();
        while (end > 0 && !classes.contains(type.substring(0, end))) {
            end = type.lastIndexOf('$', end - 1);
        }
        return end > 0;
    }

    void write(ProfileFormat format, String title, OutputStream out) throws IOException {
        if (format == ProfileFormat.COLLAPSED) {
            out.write(collapsed(true).getBytes(StandardCharsets.UTF_8));
            return;
        }
        Arguments arguments = new Arguments();
        arguments.title = title;
        FlameGraph graph = new FlameGraph(arguments);
        graph.parseCollapsed(new StringReader(collapsed(false)));
        graph.dump(out);
    }

    /** A flame graph is coloured by the marks of frames. Other tools would take a mark for a part of the name. */
    private String collapsed(boolean withoutMarks) {
        StringBuilder text = new StringBuilder();
        numbers.forEach((stack, number) -> text.append(withoutMarks ? stack.replaceAll("_\\[\\w]", "") : stack)
                .append(' ')
                .append(number)
                .append('\n'));
        return text.toString();
    }
}
