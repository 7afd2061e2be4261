package io.updraft.engine.run;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Origin;
import java.util.List;

/**
 * One output stream of one task, prepared for emits. The fields that the path of a tuple needs are here and not in other
 * objects.
 */
final class OutStream {

    /** Value of the sole target when there are several targets, none, or the caller names the target. */
    static final int NO_SOLE_TARGET = -1;

    final int number;
    final Origin origin;

    /** The task that receives every tuple, for any values, or {@link #NO_SOLE_TARGET}. */
    final int soleTarget;

    /** The return value of emit when there is a sole target. */
    final List<Integer> soleChoice;

    /** The grouper if there is exactly one subscription, else null. */
    final Grouper only;

    /** The groupers, one for each subscription that is not direct. */
    final Grouper[] groupers;

    /** Task ids allowed in emitDirect. If there are any, emit is not allowed on the stream. */
    final List<Integer> directTargets;

    OutStream(int number, Origin origin, List<Grouper> groupers, List<Integer> directTargets) {
        this.number = number;
        this.origin = origin;
        this.groupers = groupers.toArray(Grouper[]::new);
        this.only = groupers.size() == 1 ? groupers.get(0) : null;
        this.directTargets = directTargets;
        int always = only == null || !directTargets.isEmpty() ? Grouper.MANY : only.always();
        this.soleTarget = always == Grouper.MANY ? NO_SOLE_TARGET : only.target(always);
        this.soleChoice = always == Grouper.MANY ? List.of() : only.singleton(always);
    }
}
