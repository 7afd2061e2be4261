package io.updraft.bench.option;

import io.updraft.transport.TransportNames;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.Config;

/**
 * The settings, apart from the shape, that distinguish series of one side.
 *
 * @param transport the transport between Updraft's workers; empty for one process and for Storm
 * @param transferBuffer bytes to collect before they are sent to another worker; 0 for the default
 */
public record SeriesVariant(String transport, int transferBuffer) {

    public static final SeriesVariant NONE = new SeriesVariant("", 0);

    public Map<String, Object> conf() {
        Map<String, Object> conf = new LinkedHashMap<>();
        if (!transport.isEmpty()) {
            conf.put(TransportNames.LOCAL, transport);
        }
        if (transferBuffer > 0) {
            conf.put(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, transferBuffer);
        }
        return conf;
    }
}
