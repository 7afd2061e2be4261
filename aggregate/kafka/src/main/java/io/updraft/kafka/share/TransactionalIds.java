package io.updraft.kafka.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/**
 * The transactional ids of a group's processes. Ends the transactions of dead processes, because brokers would hold back those
 * offsets until {@code transaction.timeout.ms}.
 */
final class TransactionalIds {

    private final String prefix;

    TransactionalIds(String group) {
        // The length separates the ids of this group from those of a group whose name starts with this name.
        this.prefix = "updraft:" + group.length() + ":" + group + ":";
    }

    public String of(String member) {
        return prefix + member;
    }

    /** Fences ids: their open transactions are aborted, and later requests of their producers are refused. */
    public void fence(Admin admin, List<String> ids, long millis)
            throws ExecutionException, InterruptedException, TimeoutException {
        if (!ids.isEmpty()) {
            admin.fenceProducers(ids).all().get(millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the ids of this group that have an open transaction and belong to none of these members. */
    List<String> orphans(Admin admin, Set<String> members, long millis)
            throws ExecutionException, InterruptedException, TimeoutException {
        ListTransactionsOptions ours = new ListTransactionsOptions()
                .filterStates(List.of(TransactionState.ONGOING))
                .filterOnTransactionalIdPattern("^" + Pattern.quote(prefix) + ".*");
        List<String> orphans = new ArrayList<>();
        for (TransactionListing open : admin.listTransactions(ours).all().get(millis, TimeUnit.MILLISECONDS)) {
            String id = open.transactionalId();
            if (id.startsWith(prefix) && !members.contains(id.substring(prefix.length()))) {
                orphans.add(id);
            }
        }
        return orphans;
    }
}
