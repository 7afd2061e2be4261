package io.updraft.cluster.local;

/** Where workers are heard by people. Called from several threads. */
public interface WorkerOutput {

    /**
     * A line that a worker printed on its standard output.
     *
     * @param line the line, with a prefix that names the worker
     */
    void out(String line);

    /**
     * A line that a worker printed on its standard error.
     *
     * @param line the line, with a prefix that names the worker
     */
    void err(String line);

    /**
     * Something about the workers that people should know.
     *
     * @param line one line
     */
    void tell(String line);
}
