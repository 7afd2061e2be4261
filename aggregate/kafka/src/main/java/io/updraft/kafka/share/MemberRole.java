package io.updraft.kafka.share;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What the leader of a group tells one member beside its partitions.
 *
 * @param kind what the member does now
 * @param divided whether processes share the partitions; if not, one has all
 * @param members how many processes share the partitions
 * @param partitions how many partitions there are
 * @param other the process that the member waits for or differs from; empty if there is none, or if it is of an older version
 */
record MemberRole(Kind kind, boolean divided, int members, int partitions, Optional<ProcessDescription> other) {

    enum Kind {
        /** The member has partitions, or gets some soon. */
        WORKS,
        /** The member has no partitions until another one leaves. */
        WAITS,
        /** The member differs from another one and may not work. */
        DIFFERS
    }

    ByteBuffer written() {
        String head = kind + " " + divided + " " + members + " " + partitions + "\n";
        String rest = other.map(process -> new String(process.written(), StandardCharsets.UTF_8))
                .orElse("");
        return ByteBuffer.wrap((head + rest).getBytes(StandardCharsets.UTF_8));
    }

    /** Reads what {@link #written} returns; empty if the leader is of an older version. */
    static Optional<MemberRole> read(ByteBuffer written) {
        if (written == null) {
            return Optional.empty();
        }
        String text = StandardCharsets.UTF_8.decode(written.duplicate()).toString();
        int end = text.indexOf('\n');
        String[] head = text.substring(0, Math.max(0, end)).split(" ");
        try {
            return Optional.of(new MemberRole(
                    Kind.valueOf(head[0]),
                    Boolean.parseBoolean(head[1]),
                    Integer.parseInt(head[2]),
                    Integer.parseInt(head[3]),
                    ProcessDescription.read(text.substring(end + 1).getBytes(StandardCharsets.UTF_8))));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
