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
 * @param users settings that say who is answered
 */
public record ServiceAddresses(
        InetSocketAddress nimbus,
        InetSocketAddress drpc,
        InetSocketAddress drpcInvocations,
        InetSocketAddress drpcHttp,
        Map<String, Object> users) {

    /** The settings of the run: beneath others where its topologies find these, over them who is answered. */
    Map<String, Object> beneath(Map<String, Object> settings) {
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
