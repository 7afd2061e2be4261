package io.updraft.kafka.share;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of one share in ZooKeeper, as lines of text.
 *
 * @param epoch the epoch of the latest ownership
 * @param owner the member that owns or owned the share; empty before the first owner
 * @param held whether the owner has not released the share
 * @param unfencedOwners members that died as owners, or did not release the share in time; they may have an open transaction that is
 *     not fenced yet
 * @param progress the committed progress, if it is not kept in transactions
 */
record ShareNode(long epoch, String owner, boolean held, List<String> unfencedOwners, Share.Progress progress) {

    static final ShareNode NEW = new ShareNode(0, "", false, List.of(), Share.Progress.NONE);

    ShareNode takenBy(String member) {
        List<String> fence = new ArrayList<>(unfencedOwners);
        if (held) {
            fence.add(owner);
        }
        return new ShareNode(epoch + 1, member, true, List.copyOf(fence), progress);
    }

    ShareNode fenced() {
        return new ShareNode(epoch, owner, held, List.of(), progress);
    }

    /** Returns the node of a share that its owner releases while commits may still be in flight. */
    ShareNode overdue() {
        List<String> fence = new ArrayList<>(unfencedOwners);
        if (!fence.contains(owner)) {
            fence.add(owner);
        }
        return new ShareNode(epoch, owner, held, List.copyOf(fence), progress);
    }

    ShareNode released() {
        return new ShareNode(epoch, owner, false, unfencedOwners, progress);
    }

    ShareNode with(Share.Progress later) {
        return new ShareNode(epoch, owner, held, unfencedOwners, progress.then(later));
    }

    byte[] written() {
        StringBuilder text = new StringBuilder();
        text.append(epoch).append('\n');
        text.append(owner).append('\n');
        text.append(held ? "held" : "released").append('\n');
        text.append(String.join(" ", unfencedOwners)).append('\n');
        text.append(progress.positions().size()).append('\n');
        progress.positions().keySet().forEach(partition -> text.append(partition.line(progress)));
        // Last, because it may contain line feeds.
        text.append(progress.metadata());
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    static ShareNode read(byte[] written) {
        if (written.length == 0) {
            return NEW;
        }
        String[] head = new String(written, StandardCharsets.UTF_8).split("\n", 6);
        int count = Integer.parseInt(head[4]);
        String[] rest = head[5].split("\n", count + 1);
        Map<ClusterPartition, Long> positions = new TreeMap<>();
        Map<ClusterPartition, String> details = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            ClusterPartition.readLine(rest[i], positions, details);
        }
        return new ShareNode(
                Long.parseLong(head[0]),
                head[1],
                head[2].equals("held"),
                head[3].isEmpty() ? List.of() : List.of(head[3].split(" ")),
                new Share.Progress(positions, rest[count], details));
    }
}
