package io.updraft.kafka.share;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the transactions that dead processes of a group have left open. The coordinator's thread. */
final class OrphanedTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanedTransactions.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final GroupSettings settings;
    private final TransactionalIds ids;
    private final Admin admin;
    /** Whether the previous owner of assigned shares may have left a transaction open. */
    private boolean possible;

    private long nextCheck = System.nanoTime();

    OrphanedTransactions(GroupSettings settings, TransactionalIds ids, Admin admin) {
        this.settings = settings;
        this.ids = ids;
        this.admin = admin;
    }

    /** Notes that shares were assigned, whose previous owner may have left a transaction open. */
    void suspect() {
        possible = true;
    }

    /**
     * Ends abandoned transactions after shares were taken over. It runs after the take-over, so that the assignment and reading
     * do not wait for it.
     */
    void endWhenDue() {
        long now = System.nanoTime();
        if (possible && now - nextCheck >= 0) {
            possible = !end();
            nextCheck = now + AGAIN.toNanos();
        }
    }

    /** Ends abandoned transactions. Returns whether none are left. */
    boolean end() {
        try {
            Set<String> members = new HashSet<>();
            members.add(settings.member());
            admin.describeConsumerGroups(List.of(settings.group()))
                    .all()
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .values()
                    .forEach(group -> group.members().stream()
                            .map(MemberDescription::clientId)
                            .forEach(members::add));
            List<String> orphans = ids.orphans(admin, members, ANSWER.toMillis());
            if (!orphans.isEmpty()) {
                LOG.info("ending the transactions of dead processes: {}", orphans);
                ids.fence(admin, orphans, ANSWER.toMillis());
            }
            return true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("cannot end the transactions of dead processes; retrying: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
