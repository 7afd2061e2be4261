package io.updraft.browser;

import io.updraft.cli.UpdraftProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run of Updraft in its own process, with a page at a local address that the run has printed. */
final class UpdraftRun implements AutoCloseable {

    private final UpdraftProcess process;
    private final String address;

    private UpdraftRun(UpdraftProcess process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts the command as a user does, and waits for its line {@code updraft: PAGE: ADDRESS}.
     *
     * @param directory the working directory, which also keeps the state of Updraft
     * @param page the name of the page in that line, such as {@code metrics}
     * @param arguments the command line
     */
    static UpdraftRun start(Path directory, String page, String... arguments) throws IOException, InterruptedException {
        Pattern line = Pattern.compile("updraft: " + Pattern.quote(page) + ": (https?://localhost:\\d+\\S*).*");
        UpdraftProcess process = UpdraftProcess.start(directory, arguments);
        try {
            Matcher printed = process.awaitErr(line);
            return new UpdraftRun(process, printed.group(1));
        } catch (Throwable e) {
            end(process);
            throw e;
        }
    }

    /** {@return the address that the run has printed} */
    String address() {
        return address;
    }

    UpdraftProcess process() {
        return process;
    }

    @Override
    public void close() throws IOException {
        try {
            end(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before Updraft had ended");
        }
    }

    private static void end(UpdraftProcess process) throws IOException, InterruptedException {
        if (process.isAlive()) {
            process.signal("TERM");
        }
        process.awaitExit();
    }
}
