package io.updraft.cli.view;

import io.updraft.cli.view.TerminalLine.Style;
import io.updraft.observe.view.Remark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The remarks below the live table. A window that is too short shows the first line of each group of remarks before the second
 * line of any.
 */
final class LiveRemarks {
    private static final int MAX_WRAPPED = 3;

    private final List<Remark> remarks;

    LiveRemarks(List<Remark> remarks) {
        this.remarks = remarks;
    }

    private static TerminalLine line(Remark remark) {
        return new TerminalLine(
                remark.line(), Style.valueOf(remark.kind().style().name()));
    }

    /** {@return the number of all remarks, each in one line} */
    int size() {
        return remarks.size();
    }

    /** {@return all remarks. Long ones continue on the next line, as long as there are spare lines} */
    List<TerminalLine> all(int width, int spare) {
        List<TerminalLine> lines = new ArrayList<>();
        int left = spare;
        for (Remark remark : remarks) {
            List<TerminalLine> wrapped = line(remark).wrap(width, 1 + Math.max(0, Math.min(MAX_WRAPPED - 1, left)));
            left -= wrapped.size() - 1;
            lines.addAll(wrapped);
        }
        return lines;
    }

    /** {@return at most this number of lines: all remarks, or the most important ones and how many are left out} */
    List<TerminalLine> mostImportant(int lines, int width) {
        if (remarks.size() <= lines) {
            return all(width, lines - remarks.size());
        }
        if (lines <= 1) {
            String more = " (+" + (remarks.size() - 1) + " more)";
            return remarks.stream()
                    .limit(lines)
                    .map(LiveRemarks::line)
                    .map(line ->
                            new TerminalLine(TerminalLine.fit(line.text(), width - more.length()) + more, line.style()))
                    .toList();
        }
        List<TerminalLine> shown = remarks.stream()
                .sorted(Comparator.comparing(Remark::place).thenComparing(Remark::kind))
                .limit(lines - 1L)
                .sorted(Comparator.comparing(Remark::kind).thenComparing(Remark::place))
                .map(LiveRemarks::line)
                .collect(Collectors.toCollection(ArrayList::new));
        shown.add(TerminalLine.plain(
                "... " + (remarks.size() - lines + 1) + " more remarks; updraft errors, updraft ps"));
        return shown;
    }
}
