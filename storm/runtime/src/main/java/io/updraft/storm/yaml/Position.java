package io.updraft.storm.yaml;

/**
 * A place in a file.
 *
 * @param file the name that was given
 * @param line the line, from 1
 * @param column the column in the line, from 1
 */
public record Position(String file, int line, int column) {

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
