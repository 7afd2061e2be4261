package io.updraft.cluster.supervised;

/**
 * The command line arguments of a worker, as given by a Supervisor: the topology's id, the Supervisor's id and Thrift port, the
 * port of the worker's slot, and Storm's id of this start of the worker.
 */
record WorkerArguments(String topologyId, String node, int supervisorPort, int port, String workerId) {

    private static final int COUNT = 5;

    static WorkerArguments parse(String[] args) {
        if (args.length != COUNT) {
            throw new IllegalArgumentException("a Storm Supervisor starts this worker, with 5 arguments: topology,"
                    + " supervisor, its port, port, worker; there are " + args.length);
        }
        try {
            return new WorkerArguments(args[0], args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a port is not a number: " + e.getMessage(), e);
        }
    }

    SupervisorSlot slot() {
        return new SupervisorSlot(node, port);
    }
}
