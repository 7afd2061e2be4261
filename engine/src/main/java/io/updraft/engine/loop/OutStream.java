package io.updraft.engine.loop;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Origin;
import java.util.List;

/** One output stream of one task, ready to emit on. What the path of a tuple needs is here, not behind other objects. */
final class OutStream {

    /** In place of the sole target: there are several, or none, or it is for the caller to name. */
    static final int NO_SOLE_TARGET = -1;

    /** Its place among the streams of its component. */
    final int number;

    /** Stamped on each tuple. */
    final Origin origin;

    /** The task that gets every tuple, whatever its values, or {@link #NO_SOLE_TARGET}. */
    final int soleTarget;

    /** What emit returns when there is a sole target. */
    final List<Integer> soleChoice;

    /** The grouper if there is exactly one subscription, else null. */
    final Grouper only;

    /** One for each subscription that is not direct. */
    final Grouper[] groupers;

    /** Task ids that may be named in emitDirect; if there are any, only that may be used. */
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
