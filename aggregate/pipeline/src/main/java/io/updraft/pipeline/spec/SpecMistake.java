package io.updraft.pipeline.spec;

/**
 * A mistake in a description.
 *
 * @param line the line in the file, from 1
 * @param column the column in the line, from 1
 * @param message the mistake and its remedy, in one line
 */
public record SpecMistake(String file, int line, int column, String message) {

    /** Returns the mistake as compilers write it: file, line, column, message. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
