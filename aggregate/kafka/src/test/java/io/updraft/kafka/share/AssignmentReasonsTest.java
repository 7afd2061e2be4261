package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;

class AssignmentReasonsTest {

    private static final Share FIRST = new Share(0);
    private static final Share SECOND = new Share(1);
    private static final Share THIRD = new Share(2);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final AssignmentReasons reasons = new AssignmentReasons("orders", "in");

    AssignmentReasonsTest() {
        partitions(2);
    }

    private void partitions(int count) {
        consumer.updatePartitions(
                "in",
                IntStream.range(0, count)
                        .mapToObj(i -> new PartitionInfo("in", i, Node.noNode(), new Node[0], new Node[0]))
                        .toList());
    }

    private String assigned(Share share) {
        reasons.assigned(List.of(share), consumer);
        return reasons.takeAssigned(share);
    }

    @Test
    void shouldTellTheOwnJoiningFromTheEndOfAnother() {
        assertThat(assigned(FIRST)).isEqualTo("this process has joined group orders");
        assertThat(reasons.ofRevoked()).isEqualTo("a process has joined group orders");
        reasons.assigned(List.of(), consumer);
        assertThat(assigned(SECOND)).isEqualTo("a process has left group orders");
    }

    @Test
    void shouldAdmitThatAFirstShareAfterAWaitMayHaveTwoReasons() {
        reasons.assigned(List.of(), consumer);
        assertThat(assigned(FIRST)).isEqualTo("this process has joined group orders, or another one has left it");
        assertThat(assigned(SECOND)).isEqualTo("a process has left group orders");
    }

    @Test
    void shouldNoticeAnAddedPartition() {
        assigned(FIRST);
        partitions(3);
        assertThat(assigned(THIRD)).isEqualTo("the partition was added");
        assertThat(assigned(SECOND)).isEqualTo("a process has left group orders");
    }

    @Test
    void shouldRememberWhyThisProcessJoinsAgain() {
        assigned(FIRST);
        reasons.joinAgain(List.of("in", "other"));
        String why = "partitions were added to topics [in, other], and this process joins group orders again";
        assertThat(reasons.ofRevoked()).isEqualTo(why);
        reasons.assigned(List.of(), consumer);
        assertThat(assigned(FIRST)).isEqualTo(why);
        assertThat(reasons.ofRevoked()).isEqualTo("a process has joined group orders");
    }

    @Test
    void shouldTellAFailureOfTheCoordinatorFromAnotherProcess() {
        assigned(FIRST);
        assertThat(reasons.ofEnd()).isEqualTo("this process leaves group orders");
        reasons.fail(new IllegalStateException("broken"));
        String why = "the coordinator of group orders has failed: java.lang.IllegalStateException: broken";
        assertThat(reasons.ofRevoked()).isEqualTo(why);
        assertThat(reasons.ofEnd()).isEqualTo(why);
    }

    @Test
    void shouldJoinAnewAfterItWasExcluded() {
        assigned(FIRST);
        assertThat(reasons.ofExclusion()).isEqualTo("group orders has not heard of this process for too long");
        assertThat(assigned(FIRST)).isEqualTo("this process has joined group orders");
    }
}
