package org.apache.storm.daemon.nimbus;

import io.updraft.local.ForwardingNimbus;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.nimbus.LocalNimbus;
import java.util.concurrent.TimeUnit;
import org.apache.storm.daemon.DaemonCommon;
import org.apache.storm.daemon.Shutdownable;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.thrift.TException;

/**
 * The Nimbus of a cluster in this process, from {@code LocalCluster.getNimbus}. It has the name of Storm's class and those of
 * its members that clients call.
 *
 * <p>All methods may be called from any thread.
 */
public class Nimbus extends ForwardingNimbus implements Shutdownable, DaemonCommon {
    private final UpdraftCluster cluster;

    /**
     * Creates the Nimbus of a cluster.
     *
     * @param cluster answers the calls
     */
    public Nimbus(UpdraftCluster cluster) {
        super(LocalNimbus.of(cluster));
        this.cluster = cluster;
    }

    @Override
    public UpdraftCluster updraft() {
        return cluster;
    }

    @Override
    public void killTopology(String name) throws TException {
        killTopologyWithOpts(name, new KillOptions());
    }

    /** Begins to kill a topology and returns at once. Its tuples in flight are drained for as long as the options say. */
    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.requestKill(name, options);
    }

    /**
     * Returns true: there is one Nimbus, which is the leader.
     *
     * @param timeout ignored
     * @param timeUnit ignored
     * @return true
     */
    public boolean awaitLeadership(long timeout, TimeUnit timeUnit) {
        return true;
    }

    /** {@return true: a Nimbus without calls has nothing to do} */
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
