package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.cli.run.ClassArchive;
import io.updraft.cli.run.ExitGuard;
import io.updraft.cli.run.LogFile;
import io.updraft.cli.run.OutOfMemoryHandler;
import java.util.Set;

/** The entry point of the process. */
public final class Main {
    /** The longest wait at exit for the readers of standard output and standard error, in milliseconds. */
    private static final long FLUSH_MILLIS = 3_000;

    /** The commands that run the code of a program. */
    private static final Set<String> PROGRAM_COMMANDS = Set.of("run", "advise", "bench");

    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        long start = System.nanoTime();
        // The system class loader finds classes of the program too; Updraft's own threads must not.
        Thread.currentThread().setContextClassLoader(Main.class.getClassLoader());
        LogFile.configure();
        if (!PROGRAM_COMMANDS.contains(CommandWord.of(args))) {
            LogFile.startLate();
            // picocli would look through each jar for Groovy.
            System.setProperty("picocli.disable.closures", "true");
        }
        OutOfMemoryHandler.handle();
        int code = UpdraftCommand.commandLine(args).execute(args);
        if (code == ExitCode.OK) {
            ClassArchive.makeAfter(ArchiveTraining.class, System.nanoTime() - start);
        }
        if (!flush() || ExitGuard.isHolding()) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }

    /** Flushes standard output and standard error. Returns false if a pipe's reader does not read: then the flush never ends. */
    private static boolean flush() {
        Thread flushing = DaemonThreads.start("updraft-flush", () -> {
            System.out.flush();
            System.err.flush();
        });
        try {
            flushing.join(FLUSH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !flushing.isAlive();
    }
}
