package io.updraft.cli.programs;

/** A program whose class cannot be initialized. */
public final class Unready {
    private static final int PORT = Integer.parseInt("no number");

    private Unready() {}

    /**
     * Runs the program.
     *
     * @param args none
     */
    public static void main(String[] args) {
        System.out.println(PORT);
    }
}
