package io.updraft.cli;

import io.updraft.cli.log.LogFile;
import io.updraft.cli.run.ExitGuard;
import io.updraft.cli.run.OutOfMemory;

/** The process. */
public final class Main {
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
        System.out.flush();
        System.err.flush();
        if (ExitGuard.isHolding()) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
