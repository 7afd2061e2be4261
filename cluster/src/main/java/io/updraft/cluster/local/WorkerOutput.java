package io.updraft.cluster.local;

/** Receives the output of workers and messages about them. Called from several threads. */
public interface WorkerOutput {
    /**
     * Receives a line that a worker printed on its standard output.
     *
     * @param line the line, with a prefix that names the worker
     */
    void out(String line);

    /**
     * Receives a line that a worker printed on its standard error.
     *
     * @param line the line, with a prefix that names the worker
     */
    void err(String line);

    /**
     * Receives a message about the workers for the user.
     *
     * @param line one line
     */
    void message(String line);
}
