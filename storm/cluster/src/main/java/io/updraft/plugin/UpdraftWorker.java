package io.updraft.plugin;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import org.apache.storm.daemon.worker.Worker;
import org.apache.storm.utils.ConfigUtils;

/**
 * The main class of a worker, which a Supervisor launches if {@code supervisor.worker.version.main.map} names it. It takes the
 * arguments of Storm's own worker.
 */
public final class UpdraftWorker {

    private static final String WORKER = "io.updraft.cluster.supervised.SupervisedWorker";

    private UpdraftWorker() {}

    /**
     * Runs the worker until it ends, with Updraft's libraries in their own class loader.
     *
     * <p>A topology from a Storm client that is newer than the cluster, for example 2.9, also arrives here, because a
     * Supervisor takes the next higher version in its map. Such a topology runs in Storm's worker.
     *
     * @param args topology id, Supervisor id, Supervisor's port, worker's port, worker id
     * @throws Exception when Storm's worker fails, or Updraft's libraries are not all of one version
     */
    public static void main(String[] args) throws Exception {
        Map<String, Object> conf = ConfigUtils.readStormConfig();
        if (args.length > 0 && !isUpdrafts(conf, args[0])) {
            Worker.main(args);
            return;
        }
        // Stays open: classes are loaded for as long as the worker runs.
        Class<?> worker = LibraryLoader.beside(UpdraftWorker.class).loadClass(WORKER);
        try {
            worker.getMethod("run", String[].class, Map.class).invoke(null, args, conf);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static boolean isUpdrafts(Map<String, Object> conf, String topologyId) throws IOException {
        return ConfigUtils.readSupervisorStormConf(conf, topologyId).containsKey(UpdraftKeys.SECRET);
    }
}
