package io.updraft.cli.run;

import io.updraft.storm.drpc.DrpcPorts;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses on which a run listens. An address is null if the service is off.
 *
 * @param nimbus the address for Storm's clients
 * @param drpc the address for DRPC clients
 * @param drpcInvocations the address from which topologies fetch DRPC requests
 * @param drpcHttp the address for DRPC over HTTP
 * @param users settings with the local users who may connect
 */
public record ServiceAddresses(
        InetSocketAddress nimbus,
        InetSocketAddress drpc,
        InetSocketAddress drpcInvocations,
        InetSocketAddress drpcHttp,
        Map<String, Object> users) {
    /**
     * Returns settings with the DRPC addresses and the users added. Given settings override the addresses; users override all.
     */
    Map<String, Object> addedBelow(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>();
        if (drpc != null) {
            String host =
                    drpc.getAddress().isAnyLocalAddress() || drpc.getAddress().isLoopbackAddress()
                            ? "localhost"
                            : drpc.getAddress().getHostAddress();
            all.putAll(DrpcPorts.settings(host, drpc.getPort(), drpcInvocations.getPort()));
        }
        all.putAll(settings);
        all.putAll(users);
        return all;
    }
}
