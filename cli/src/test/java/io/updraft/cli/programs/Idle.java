package io.updraft.cli.programs;

/** Submits nothing. */
public final class Idle {
    private Idle() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        System.out.println("nothing to do");
    }
}
