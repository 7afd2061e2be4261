package io.updraft.kafka.share;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a process and its group tell each other beside partitions. The group's assignor gets it as a setting of the consumer.
 * Reports on one line when the process has no work, and when it gets some. The coordinator's thread.
 */
final class Membership {

    static final String SETTING = "updraft.membership";

    /** How long a member has no shares until it says so if the leader does not say why. Shares that move take less. */
    private static final long UNEXPLAINED_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final String LATER = "this one takes over when one of them ends";

    private final String group;
    private final Optional<ProcessDescription> self;
    private final StandbyLog standby = new StandbyLog();
    private Optional<MemberRole> role = Optional.empty();
    /** When the group has last assigned shares to this process, or none; 0 before the first time. */
    private long learned;

    /** {@code self} is null for a process that does not describe itself. */
    Membership(String group, ProcessDescription self) {
        this.group = group;
        this.self = Optional.ofNullable(self);
    }

    static Membership of(Map<String, ?> settings) {
        return (Membership) settings.get(SETTING);
    }

    /** Returns what the group's leader learns of this process, after what the assignor itself tells it. */
    ByteBuffer describe(ByteBuffer of) {
        byte[] more = self.map(ProcessDescription::written).orElse(new byte[0]);
        ByteBuffer all = ByteBuffer.allocate(of.remaining() + more.length);
        all.put(of.duplicate()).put(more).flip();
        return all;
    }

    void learn(ByteBuffer fromLeader) {
        role = MemberRole.read(fromLeader);
        learned = System.nanoTime();
    }

    /**
     * Checks the role after a poll.
     *
     * @param shares how many shares this process has or is about to have
     * @param topics what it reads
     * @throws IllegalStateException if it differs from the others and must end; the message is one line
     */
    void check(int shares, Object topics) {
        if (role.isPresent() && role.get().kind() == MemberRole.Kind.DIFFERS) {
            throw new IllegalStateException(conflict(role.get()));
        }
        if (shares > 0) {
            standby.work(shares, topics);
        } else {
            why().ifPresent(reason -> standby.standBy(topics, reason));
        }
    }

    private String conflict(MemberRole of) {
        return self.flatMap(process -> of.other().flatMap(other -> process.conflict(other, group, true)))
                .orElse("another process of group " + group + " has another description");
    }

    /** Returns why this process has no shares; empty while it may still get some. */
    private Optional<String> why() {
        if (role.isPresent()) {
            return role.filter(now -> now.kind() == MemberRole.Kind.WAITS).map(this::reason);
        }
        boolean unexplained = learned != 0 && System.nanoTime() - learned > UNEXPLAINED_NANOS;
        return unexplained
                ? Optional.of("other processes of group " + group + " have all partitions, and " + LATER)
                : Optional.empty();
    }

    private String reason(MemberRole of) {
        if (of.divided()) {
            return of.members() + " processes share the " + of.partitions() + " partition indexes of group " + group
                    + ", and " + LATER;
        }
        String other = of.other().map(ProcessDescription::place).orElse("a process of an earlier version");
        String differs = self.flatMap(process -> of.other().map(process::differences))
                .filter(keys -> !keys.isEmpty())
                .map(keys -> "; the other one has other values of " + keys)
                .orElse("");
        return "without 'keyed: true' one process of group " + group + " reads all partitions, now " + other
                + ", and this one takes over when that one ends" + differs;
    }
}
