package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.rest.NimbusSource;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.generated.Nimbus;
import org.junit.jupiter.api.Test;

final class StormApiPagesTest {
    private static final String RESTART = "/api/v1/topology/words-1/profiling/restartworker/a:6700";
    private static final Map<String, String> BROWSER = Map.of("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)");

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final NimbusSource nimbus = NimbusSource.of((Nimbus.Iface) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, (proxy, method, arguments) -> {
                calls.add(method.getName());
                return null;
            }));

    private int statusOf(String method, boolean readOnly, Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        InetSocketAddress address = InetSocketAddress.createUnresolved("localhost", 80);
        HttpQuery query =
                new HttpQuery(method, RESTART, RESTART, "", Map.of(), all, new byte[0], address, address, "alice");
        HttpAnswer answer =
                StormApiPages.route(nimbus, Map.of(), readOnly).page().get(query);
        return answer.status();
    }

    @Test
    void shouldActByGetForScriptsAndItsOwnPages() {
        assertThat(statusOf("GET", false, Map.of("User-Agent", "curl/8"))).isEqualTo(200);
        assertThat(statusOf("GET", false, Map.of())).isEqualTo(200);
        Map<String, String> typed = new TreeMap<>(BROWSER);
        typed.put("Sec-Fetch-Site", "none");
        assertThat(statusOf("GET", false, typed)).isEqualTo(200);
        assertThat(calls).containsExactly("setWorkerProfiler", "setWorkerProfiler", "setWorkerProfiler");
    }

    @Test
    void shouldNotActByGetForABrowserThatDoesNotSayWhichSiteAsks() {
        assertThat(statusOf("GET", false, BROWSER)).isEqualTo(403);
        assertThat(statusOf("GET", true, Map.of())).isEqualTo(403);
        assertThat(statusOf("HEAD", false, Map.of())).isEqualTo(403);
        assertThat(calls).isEmpty();
    }
}
