package io.updraft.cli.programs;

import java.util.concurrent.TimeUnit;

/** Submits on a separate thread, some time after main has returned. */
public final class Later {
    private static final long LATER_MILLIS = 3_000;

    private Later() {}

    /**
     * Runs the program.
     *
     * @param args none
     */
    public static void main(String[] args) {
        new Thread(Later::submit, "submitter").start();
    }

    private static void submit() {
        try {
            TimeUnit.MILLISECONDS.sleep(LATER_MILLIS);
            CliPrograms.submit(new CliPrograms.Sink(true, null));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
