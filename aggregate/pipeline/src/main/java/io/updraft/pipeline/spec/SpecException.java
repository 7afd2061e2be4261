package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.Mistakes.Mistake;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a description that cannot be run; carries all its mistakes. */
public final class SpecException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    /** Creates an exception with all mistakes of a description, in their order. */
    public SpecException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns the mistakes in the order of the description; at least one. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
