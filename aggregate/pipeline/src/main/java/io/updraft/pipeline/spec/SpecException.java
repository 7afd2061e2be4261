package io.updraft.pipeline.spec;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a description that cannot be run; carries all its mistakes. */
public final class SpecException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    SpecException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns the mistakes in the order of the description; at least one. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * A mistake in a description.
     *
     * @param line the line in the file, from 1
     * @param column the column in the line, from 1
     * @param message the mistake and its remedy, in one line
     */
    public record Mistake(String file, int line, int column, String message) {

        /** Returns the mistake as compilers write it: file, line, column, message. */
        @Override
        public String toString() {
            return file + ":" + line + ":" + column + ": " + message;
        }
    }
}
