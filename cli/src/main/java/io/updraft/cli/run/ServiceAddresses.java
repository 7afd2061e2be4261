package io.updraft.cli.run;

import io.updraft.storm.DrpcPorts;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a run listens; each null for nowhere.
 *
 * @param nimbus for Storm's clients
 * @param drpc for callers of DRPC
 * @param drpcInvocations for topologies that answer them
 * @param drpcHttp for callers that speak HTTP
 */
public record ServiceAddresses(
        InetSocketAddress nimbus,
        InetSocketAddress drpc,
        InetSocketAddress drpcInvocations,
        InetSocketAddress drpcHttp) {

    /** Settings with which the topologies of the run find these, with other settings over them. */
    Map<String, Object> beneath(Map<String, Object> settings) {
        if (drpc == null) {
            return settings;
        }
        String host = drpc.getAddress().isAnyLocalAddress() || drpc.getAddress().isLoopbackAddress()
                ? "localhost"
                : drpc.getAddress().getHostAddress();
        Map<String, Object> all = new HashMap<>(DrpcPorts.settings(host, drpc.getPort(), drpcInvocations.getPort()));
        all.putAll(settings);
        return all;
    }
}
