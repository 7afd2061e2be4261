package io.updraft.cli.programs;

/** Throws. */
public final class Throwing {
    private Throwing() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        throw new IllegalArgumentException("no broker\nat all");
    }
}
