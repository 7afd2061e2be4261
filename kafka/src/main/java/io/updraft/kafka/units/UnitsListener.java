package io.updraft.kafka.units;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Told what this process owns. Calls come one at a time, from a thread of the coordinator's, in order: for each ownership
 * {@code onAssigned}, then perhaps {@code onRevoked}, and {@code onLost} unless it was let go in time. A call must return
 * soon, and must not wait for a commit.
 */
public interface UnitsListener {

    /**
     * The units are this process's from now on. Read each of their partitions from its committed position.
     *
     * @param units newly owned; never empty
     */
    void onAssigned(List<AssignedUnit> units);

    /**
     * The units go to another process, which starts on them once this one has let go. Stop reading, finish or drop what
     * is in flight, commit, then complete the result. Commits of these ownerships are taken until then; if it takes
     * longer than the coordinator's patience, {@code onLost} is the next call for them.
     *
     * @param units to let go of; never empty
     * @return completes, on any thread, when nothing of the units is worked on here any more; exceptionally if that will not be known,
     *     after which they are lost at once, as if it had taken too long
     */
    CompletionStage<Void> onRevoked(List<Ownership> units);

    /**
     * The units may already be another process's: a session ended, or letting go took too long. Drop all work on them
     * now; no commit of these ownerships is taken any more.
     *
     * @param units lost; never empty
     */
    void onLost(List<Ownership> units);

    /**
     * The coordinator has given up, after {@code onLost} of what was owned, and will call nothing more. What has only
     * gone away for a while (a broker, a network) is waited for and not reported here.
     *
     * @param cause says in one line what is wrong and what to do
     */
    void onFailed(Throwable cause);
}
