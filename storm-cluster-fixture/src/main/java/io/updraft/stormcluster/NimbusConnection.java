package io.updraft.stormcluster;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.utils.NimbusClient;

/** A connection to Nimbus that does not try again and again: whoever asks here has a deadline of its own. */
record NimbusConnection(NimbusClient nimbus) implements AutoCloseable {

    private static final int TIMEOUT_MS = 10_000;

    static NimbusConnection open(Map<String, Object> conf) throws Exception {
        int port = (Integer) conf.get(Config.NIMBUS_THRIFT_PORT);
        return new NimbusConnection(
                NimbusClient.Builder.withConf(conf).withTimeout(TIMEOUT_MS).buildWithNimbusHostPort("localhost", port));
    }

    Nimbus.Iface client() {
        return nimbus.getClient();
    }

    @Override
    public void close() {
        nimbus.close();
    }
}
