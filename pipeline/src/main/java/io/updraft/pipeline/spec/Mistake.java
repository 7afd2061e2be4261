package io.updraft.pipeline.spec;

/**
 * Something wrong with a description.
 *
 * @param file where
 * @param line where in it, from 1
 * @param column where in the line, from 1
 * @param message what is wrong and what to do, in one line
 */
public record Mistake(String file, int line, int column, String message) {

    /** As compilers write it: file, line, column, message. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
