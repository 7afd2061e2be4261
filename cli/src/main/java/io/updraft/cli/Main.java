package io.updraft.cli;

import io.updraft.cli.log.LogFile;
import io.updraft.cli.run.ExitGuard;
import io.updraft.cli.run.OutOfMemory;

/** The process. */
public final class Main {

    /** How long a reader of standard output may stand still at the end of the process. */
    private static final long FLUSH_MILLIS = 3_000;

    private Main() {}

    /**
     * Runs one command and exits with its code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        LogFile.configure();
        OutOfMemory.handle();
        exit(UpdraftCommand.commandLine().execute(args));
    }

    private static void exit(int code) {
        if (!flush() || ExitGuard.isHolding()) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }

    /** False if nobody takes what is to be flushed: a pipe whose reader stands still would keep the process for ever. */
    private static boolean flush() {
        Thread flushing = new Thread(
                () -> {
                    System.out.flush();
                    System.err.flush();
                },
                "updraft-flush");
        flushing.setDaemon(true);
        flushing.start();
        try {
            flushing.join(FLUSH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !flushing.isAlive();
    }
}
