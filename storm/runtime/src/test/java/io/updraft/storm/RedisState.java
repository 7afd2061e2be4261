package io.updraft.storm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.servers.RedisServer;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis server for the state of topologies of one test class: starts on first use, ends with the class. */
final class RedisState implements AfterAllCallback {

    private RedisServer redis;

    /** Configures Storm's provider of states in Redis; the test is skipped where there is no Redis. */
    Map<String, Object> conf() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.missing());
        if (redis == null) {
            redis = RedisServer.start();
        }
        return Map.of(
                Config.TOPOLOGY_STATE_PROVIDER,
                "org.apache.storm.redis.state.RedisKeyValueStateProvider",
                Config.TOPOLOGY_STATE_PROVIDER_CONFIG,
                "{\"jedisPoolConfig\": {\"host\": \"127.0.0.1\", \"port\": " + redis.port() + "}}");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (redis != null) {
            redis.close();
        }
    }
}
