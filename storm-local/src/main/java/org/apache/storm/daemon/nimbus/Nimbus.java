package org.apache.storm.daemon.nimbus;

import io.updraft.local.ForwardingNimbus;
import io.updraft.storm.LocalNimbus;
import io.updraft.storm.UpdraftCluster;
import java.util.concurrent.TimeUnit;
import org.apache.storm.daemon.DaemonCommon;
import org.apache.storm.daemon.Shutdownable;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.thrift.TException;

/**
 * What {@code LocalCluster.getNimbus} returns: the calls of Nimbus, answered by a cluster in this process. It has the name of Storm's class, and of its
 * members those that clients call.
 *
 * <p>All methods may be called from any thread.
 */
public class Nimbus extends ForwardingNimbus implements Shutdownable, DaemonCommon {
    private final UpdraftCluster cluster;

    /**
     * Creates the Nimbus of a cluster.
     *
     * @param cluster where topologies go
     */
    public Nimbus(UpdraftCluster cluster) {
        super(LocalNimbus.of(cluster));
        this.cluster = cluster;
    }

    /** {@return the cluster that answers} */
    public UpdraftCluster updraft() {
        return cluster;
    }

    @Override
    public void killTopology(String name) throws TException {
        killTopologyWithOpts(name, new KillOptions());
    }

    /** Begins to kill a topology, and returns: its tuples in flight are waited for as long as the options say. */
    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.requestKill(name, options);
    }

    /**
     * There is one Nimbus, which leads.
     *
     * @param timeout not looked at
     * @param timeUnit not looked at
     * @return true
     */
    public boolean awaitLeadership(long timeout, TimeUnit timeUnit) {
        return true;
    }

    /** {@return true: nothing goes on in a Nimbus that is not called} */
    @Override
    public boolean isWaiting() {
        return true;
    }

    /** Ends the cluster. */
    @Override
    public void shutdown() {
        cluster.close();
    }
}
