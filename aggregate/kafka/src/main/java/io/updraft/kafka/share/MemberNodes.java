package io.updraft.kafka.share;

import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The descriptions of a group's members, in their znodes. A member that differs from an earlier one must not work: both would
 * get a part of the shares. Members of older versions have no description.
 */
record MemberNodes(CuratorFramework client, String path, String member, ZooKeeperSettings settings) {

    private static final Logger LOG = LoggerFactory.getLogger(MemberNodes.class);
    private static final long PAUSE_MILLIS = 100;

    /** Returns what the znode of this member contains. */
    byte[] description() {
        return settings.process() == null ? new byte[0] : settings.process().written();
    }

    /**
     * Waits until no member differs from this one: one that was killed stays until the end of its session.
     *
     * @throws IllegalStateException if one stays for longer; the message is one line
     */
    void awaitEndOfDiffering() throws Exception {
        long begin = System.nanoTime();
        Optional<String> conflict = conflict(Long.MAX_VALUE);
        if (conflict.isPresent()) {
            LOG.warn("waiting for its end, {} at most: {}", settings.session().multipliedBy(2), conflict.get());
        }
        while (conflict.isPresent()) {
            if (System.nanoTime() - begin > 2 * settings.session().toNanos()) {
                throw new IllegalStateException(conflict.get());
            }
            Thread.sleep(PAUSE_MILLIS);
            conflict = conflict(Long.MAX_VALUE);
        }
    }

    /** Checks again, after this member has registered: of two that register at once, the second sees the first. */
    void checkEarlier() throws Exception {
        Stat own = client.checkExists().forPath(path + "/" + member);
        Optional<String> conflict = own == null ? Optional.empty() : conflict(own.getCzxid());
        if (conflict.isPresent()) {
            throw new IllegalStateException(conflict.get());
        }
    }

    private Optional<String> conflict(long before) throws Exception {
        if (settings.process() == null) {
            return Optional.empty();
        }
        for (String other : client.getChildren().forPath(path)) {
            Optional<String> conflict = other.equals(member)
                    ? Optional.empty()
                    : describedBefore(path + "/" + other, before)
                            .flatMap(process -> settings.process().conflict(process, settings.group(), true));
            if (conflict.isPresent()) {
                return conflict;
            }
        }
        return Optional.empty();
    }

    private Optional<ProcessDescription> describedBefore(String node, long before) throws Exception {
        try {
            Stat stat = new Stat();
            byte[] data = client.getData().storingStatIn(stat).forPath(node);
            return stat.getCzxid() < before ? ProcessDescription.read(data) : Optional.empty();
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }
}
