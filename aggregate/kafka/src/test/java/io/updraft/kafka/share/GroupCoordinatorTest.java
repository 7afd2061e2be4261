package io.updraft.kafka.share;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

final class GroupCoordinatorTest extends CoordinatorContract {

    /** The classic one, and that of KIP-848. */
    static Stream<String> protocols() {
        return Stream.of("group", "group848");
    }

    @Override
    String usualProtocol() {
        return "group";
    }

    @Override
    WorkerProcessGroup workers(String protocol, Duration session) throws Exception {
        return new WorkerProcessGroup(
                protocol,
                "once",
                kafka.bootstrap(),
                group,
                String.join(",", topics),
                Long.toString(session.toMillis()),
                sums);
    }

    @Override
    ShareCoordinator coordinator(String protocol, Duration timeout) {
        GroupSettings settings =
                GroupSettings.of(cluster(), group).withSession(LONG_SESSION).withPatience(timeout);
        return new GroupCoordinator(
                protocol.equals("group848") ? settings.withOverrides(Map.of("group.protocol", "consumer")) : settings);
    }
}
