package io.updraft.cli.programs;

/** Throws at every tuple. */
public final class Failing {
    private Failing() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new CliPrograms.Sink(true, "the sink is\nleaking"));
    }
}
