package io.updraft.kafka.zookeeper;

import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of one unit in ZooKeeper, as lines of text.
 *
 * @param epoch the epoch of the latest ownership
 * @param owner the member that owns or owned the unit; empty before the first owner
 * @param held whether the owner has not released the unit
 * @param unfencedOwners members that died as owners, or did not release the unit in time; they may have an open transaction that is
 *     not fenced yet
 * @param progress the committed progress, if it is not kept in transactions
 */
record UnitNode(long epoch, String owner, boolean held, List<String> unfencedOwners, UnitProgress progress) {

    static final UnitNode NEW = new UnitNode(0, "", false, List.of(), UnitProgress.NONE);

    UnitNode takenBy(String member) {
        List<String> fence = new ArrayList<>(unfencedOwners);
        if (held) {
            fence.add(owner);
        }
        return new UnitNode(epoch + 1, member, true, List.copyOf(fence), progress);
    }

    UnitNode fenced() {
        return new UnitNode(epoch, owner, held, List.of(), progress);
    }

    /** Returns the node of a unit that its owner releases while commits may still be in flight. */
    UnitNode overdue() {
        List<String> fence = new ArrayList<>(unfencedOwners);
        if (!fence.contains(owner)) {
            fence.add(owner);
        }
        return new UnitNode(epoch, owner, held, List.copyOf(fence), progress);
    }

    UnitNode released() {
        return new UnitNode(epoch, owner, false, unfencedOwners, progress);
    }

    UnitNode with(UnitProgress later) {
        return new UnitNode(epoch, owner, held, unfencedOwners, progress.then(later));
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

    static UnitNode read(byte[] written) {
        if (written.length == 0) {
            return NEW;
        }
        String[] head = new String(written, StandardCharsets.UTF_8).split("\n", 6);
        int count = Integer.parseInt(head[4]);
        String[] rest = head[5].split("\n", count + 1);
        Map<UnitPartition, Long> positions = new TreeMap<>();
        Map<UnitPartition, String> details = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            UnitPartition.readLine(rest[i], positions, details);
        }
        return new UnitNode(
                Long.parseLong(head[0]),
                head[1],
                head[2].equals("held"),
                head[3].isEmpty() ? List.of() : List.of(head[3].split(" ")),
                new UnitProgress(positions, rest[count], details));
    }
}
