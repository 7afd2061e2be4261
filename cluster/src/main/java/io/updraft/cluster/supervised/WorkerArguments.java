package io.updraft.cluster.supervised;

/**
 * What a Supervisor says on the command line of a worker.
 *
 * @param topologyId the topology
 * @param node the id of the Supervisor
 * @param supervisorPort the Supervisor's Thrift port
 * @param port the port of the worker's slot
 * @param workerId Storm's name of this start of the worker
 */
record WorkerArguments(String topologyId, String node, int supervisorPort, int port, String workerId) {

    private static final int COUNT = 5;

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException when it is not that of a worker
     */
    static WorkerArguments parse(String[] args) {
        if (args.length != COUNT) {
            throw new IllegalArgumentException(
                    "this is a worker that a Storm Supervisor starts, with 5 arguments: topology,"
                            + " supervisor, its port, port, worker; there are " + args.length);
        }
        try {
            return new WorkerArguments(args[0], args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a port is not a number: " + e.getMessage(), e);
        }
    }

    Slot slot() {
        return new Slot(node, port);
    }
}
