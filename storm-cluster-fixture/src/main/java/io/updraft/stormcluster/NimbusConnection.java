package io.updraft.stormcluster;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.utils.NimbusClient;

/** A connection to Nimbus without retries: each caller has its own deadline. */
record NimbusConnection(NimbusClient nimbus) implements AutoCloseable {

    private static final int QUESTION_MS = 10_000;
    private static final int ORDER_MS = 60_000;

    /** Opens a connection for a request that may be repeated. */
    static NimbusConnection forQuestion(Map<String, Object> conf) throws Exception {
        return open(conf, QUESTION_MS);
    }

    /** Opens a connection for a request that must not be repeated. */
    static NimbusConnection forOrder(Map<String, Object> conf) throws Exception {
        return open(conf, ORDER_MS);
    }

    private static NimbusConnection open(Map<String, Object> conf, int timeoutMillis) throws Exception {
        int port = (Integer) conf.get(Config.NIMBUS_THRIFT_PORT);
        return new NimbusConnection(NimbusClient.Builder.withConf(conf)
                .withTimeout(timeoutMillis)
                .buildWithNimbusHostPort("localhost", port));
    }

    Nimbus.Iface client() {
        return nimbus.getClient();
    }

    @Override
    public void close() {
        nimbus.close();
    }
}
