package io.updraft.bench.compat;

import java.util.List;

/**
 * One row of the compatibility table.
 *
 * @param program the program
 * @param storm a summary of the program's behaviour on Storm
 * @param updraft a summary of the program's behaviour on Updraft
 * @param verdict whether both behaved the same
 * @param differences the differences, if the verdict is {@link Verdict#DIFFERENT}; otherwise empty
 */
record CompatRow(ComparedProgram program, String storm, String updraft, Verdict verdict, List<String> differences) {

    /** The result of one program. */
    enum Verdict {
        /** Both sides behaved the same. */
        SAME("yes"),
        /** The program works on Storm, and behaves differently on Updraft. */
        DIFFERENT("**no**"),
        /** The program works on neither side. */
        NOT_ON_STORM("not on Storm either"),
        /** The program works only on Updraft. */
        ONLY_HERE("only here"),
        /** A requirement of the program is missing. */
        NOT_RUN("not run");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }
    }

    static CompatRow notRun(ComparedProgram program) {
        return new CompatRow(program, "-", "-", Verdict.NOT_RUN, List.of());
    }

    static CompatRow of(ComparedProgram program, BehaviourObservation storm, BehaviourObservation updraft) {
        List<String> differences = BehaviourComparison.differences(program, storm, updraft);
        Verdict verdict = verdict(works(program, storm), works(program, updraft), differences.isEmpty());
        return new CompatRow(
                program,
                summary(storm),
                summary(updraft),
                verdict,
                verdict == Verdict.DIFFERENT ? differences : List.of());
    }

    private static Verdict verdict(boolean onStorm, boolean onUpdraft, boolean same) {
        if (onStorm) {
            return same ? Verdict.SAME : Verdict.DIFFERENT;
        }
        return onUpdraft ? Verdict.ONLY_HERE : Verdict.NOT_ON_STORM;
    }

    /** Whether the program submitted a topology or at least printed the expected output, and ended without an error. */
    private static boolean works(ComparedProgram program, BehaviourObservation side) {
        boolean printed = program.awaited().stream()
                .noneMatch(pattern -> side.found(pattern).isEmpty());
        return (side.ran() || !program.awaited().isEmpty() && printed)
                && (side.end().equals(BehaviourObservation.STOPPED)
                        || side.end().endsWith("status 0"));
    }

    private static String summary(BehaviourObservation side) {
        boolean stopped = side.end().equals(BehaviourObservation.STOPPED);
        String complaint = stopped ? "" : side.complaint();
        String end = side.end() + (complaint.isEmpty() ? "" : ": " + complaint);
        if (!side.ran()) {
            return end;
        }
        StringBuilder reported = new StringBuilder();
        reported.append(side.total("emitted")).append(" emitted");
        append(reported, side.total("acked"), "acked");
        append(reported, side.total("failed"), "failed");
        append(reported, side.total("error"), "errors");
        return stopped ? reported.toString() : reported.append("; ").append(end).toString();
    }

    private static void append(StringBuilder reported, long n, String what) {
        if (n > 0) {
            reported.append(", ").append(n).append(' ').append(what);
        }
    }

    /** {@return the row in Markdown} */
    String markdown() {
        String why = String.join("; ", differences);
        String note = verdict == Verdict.NOT_RUN ? "needs " + program.without() : program.note();
        String last = String.join(
                ". ",
                List.of(why, note).stream().filter(text -> !text.isEmpty()).toList());
        return "| " + program.name() + " | " + cell(storm) + " | " + cell(updraft) + " | " + verdict.word
                + (last.isEmpty() ? "" : ": " + cell(last)) + " |";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace('\n', ' ').replaceAll("(.{300}).+", "$1...");
    }
}
