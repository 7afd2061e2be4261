package io.updraft.cluster.supervised;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.thrift.TBase;
import org.apache.storm.thrift.TFieldIdEnum;
import org.apache.storm.thrift.meta_data.FieldMetaData;
import org.apache.storm.thrift.protocol.TType;
import org.apache.storm.utils.Time;

/**
 * Creates the heartbeats of a worker. Their times have 32 bits in Storm 2 and 64 bits in Storm 3, so no setter or constructor
 * with a time is in both. Times are set by field, with the type that the cluster's Storm declares.
 */
final class WorkerHeartbeats {

    private WorkerHeartbeats() {}

    /** Returns the heartbeat that the Supervisor reads from the worker's files, with the current time. */
    static LSWorkerHeartbeat local(WorkerArguments arguments, List<ExecutorInfo> executors) {
        LSWorkerHeartbeat beat = new LSWorkerHeartbeat();
        set(beat, LSWorkerHeartbeat.metaDataMap, LSWorkerHeartbeat._Fields.TIME_SECS, Time.currentTimeSecs());
        beat.set_topology_id(arguments.topologyId());
        beat.set_executors(executors);
        beat.set_port(arguments.port());
        return beat;
    }

    /** Returns the heartbeat for Nimbus with the time and the executors of a local one. */
    static SupervisorWorkerHeartbeat forNimbus(LSWorkerHeartbeat beat) {
        SupervisorWorkerHeartbeat passed = new SupervisorWorkerHeartbeat();
        passed.set_storm_id(beat.get_topology_id());
        passed.set_executors(beat.get_executors());
        set(
                passed,
                SupervisorWorkerHeartbeat.metaDataMap,
                SupervisorWorkerHeartbeat._Fields.TIME_SECS,
                ((Number) beat.getFieldValue(LSWorkerHeartbeat._Fields.TIME_SECS)).longValue());
        return passed;
    }

    /** Returns the heartbeat with statistics, with the current time. */
    static ClusterWorkerHeartbeat withStatistics(
            String topologyId, Map<ExecutorInfo, ExecutorStats> statistics, long uptimeSeconds) {
        ClusterWorkerHeartbeat beat = new ClusterWorkerHeartbeat();
        beat.set_storm_id(topologyId);
        beat.set_executor_stats(statistics);
        var fields = ClusterWorkerHeartbeat.metaDataMap;
        set(beat, fields, ClusterWorkerHeartbeat._Fields.TIME_SECS, Time.currentTimeSecs());
        set(beat, fields, ClusterWorkerHeartbeat._Fields.UPTIME_SECS, uptimeSeconds);
        return beat;
    }

    private static <F extends TFieldIdEnum> void set(
            TBase<?, F> beat, Map<F, FieldMetaData> fields, F field, long seconds) {
        boolean wide = fields.get(field).valueMetaData.type == TType.I64;
        beat.setFieldValue(field, wide ? (Object) seconds : (Object) (int) seconds);
    }
}
