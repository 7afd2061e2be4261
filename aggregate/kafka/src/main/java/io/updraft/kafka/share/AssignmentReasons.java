package io.updraft.kafka.share;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.RetriableException;

/** Says why shares come to a member of a group or leave it, as far as the member can know. The coordinator's thread. */
final class AssignmentReasons {

    private final String group;
    private final String lead;
    private final Map<Share, String> assigned = new HashMap<>();

    /** Whether the group has answered since this process joined. */
    private boolean joined;

    /** Whether the group has assigned a share to this process since it joined. */
    private boolean working;

    /** The number of shares at the last answer of the group; the largest number before the first. */
    private int shares = Integer.MAX_VALUE;

    /** Why this process has left the group to join it again; null if it has not. */
    private String again;

    /** Why the coordinator cannot go on; null if it can. */
    private String failure;

    /** Creates the reasons of a group whose shares are the partitions of a topic. */
    AssignmentReasons(String group, String lead) {
        this.group = "group " + group;
        this.lead = lead;
    }

    /** Notes that this process leaves the group to join it again. */
    void joinAgain(List<String> topics) {
        again = "partitions were added to topics " + topics + ", and this process joins " + group + " again";
        joined = false;
        working = false;
    }

    /** Notes that the coordinator cannot go on. */
    void fail(Throwable cause) {
        failure = "the coordinator of " + group + " has failed: " + cause;
    }

    /** Notes which shares were assigned and are not started yet, perhaps none. */
    void assigned(Collection<Share> those, Consumer<?, ?> consumer) {
        String reason = ofAssigned();
        assigned.keySet().retainAll(those);
        those.forEach(
                share -> assigned.putIfAbsent(share, share.index() >= shares ? "the partition was added" : reason));
        joined = true;
        working |= !those.isEmpty();
        again = working ? null : again;
        try {
            // From memory: the consumer knows the partitions of what it has subscribed to.
            shares = consumer.partitionsFor(lead, Duration.ZERO).size();
        } catch (RetriableException e) {
            shares = Integer.MAX_VALUE;
        }
    }

    private String ofAssigned() {
        if (again != null) {
            return again;
        }
        if (working) {
            return "a process has left " + group;
        }
        // A new member gets its shares in a second step. With more members than shares it gets them when another one
        // leaves.
        return "this process has joined " + group + (joined ? ", or another one has left it" : "");
    }

    /** Returns why a share was assigned, once. */
    String takeAssigned(Share share) {
        return assigned.remove(share);
    }

    /** Returns why the group revokes shares from this process. */
    String ofRevoked() {
        if (failure != null) {
            return failure;
        }
        return again == null ? "a process has joined " + group : again;
    }

    /** Returns why this process gives up its shares at its end. */
    String ofEnd() {
        return failure == null ? "this process leaves " + group : failure;
    }

    /** Returns why shares are lost that were not released in time. */
    String ofOverdue() {
        return "this process has not released them in time";
    }

    /** Returns why shares are lost when the group no longer counts this process among its members. */
    String ofExclusion() {
        joined = false;
        working = false;
        return group + " has not heard of this process for too long";
    }
}
