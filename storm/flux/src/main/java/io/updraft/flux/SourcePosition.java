package io.updraft.flux;

import org.apache.storm.shade.org.yaml.snakeyaml.error.Mark;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;

/** A place in a description: a file, by the name that was given, and a line, from 1. */
record SourcePosition(String file, int line) {

    static SourcePosition of(String file, Node node) {
        Mark mark = node.getStartMark();
        return new SourcePosition(file, mark == null ? 1 : mark.getLine() + 1);
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
