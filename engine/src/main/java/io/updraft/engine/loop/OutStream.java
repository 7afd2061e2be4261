package io.updraft.engine.loop;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Origin;
import java.util.List;

/** One output stream of one task, ready to emit on. What the path of a tuple needs is here, not behind other objects. */
final class OutStream {

    /** In place of the sole target: there are several, or none, or it is for the caller to name. */
    static final int NO_SOLE_TARGET = -1;

    /** Stamped on each tuple. */
    final Origin origin;

    /** The task that gets every tuple, whatever its values, or {@link #NO_SOLE_TARGET}. */
    final int soleTarget;

    /** What emit returns when there is a sole target. */
    final List<Integer> soleChoice;

    /** The grouper if there is exactly one subscription, else null. */
    final Grouper only;

    /** One for each subscription; empty for a direct stream. */
    final Grouper[] groupers;

    /** Whether only emitDirect may be used. */
    final boolean direct;

    /** Task ids that may be named in emitDirect. */
    final List<Integer> directTargets;

    OutStream(Origin origin, boolean direct, List<Grouper> groupers, List<Integer> directTargets) {
        this.origin = origin;
        this.direct = direct;
        this.groupers = groupers.toArray(Grouper[]::new);
        this.only = groupers.size() == 1 ? groupers.get(0) : null;
        this.directTargets = directTargets;
        int always = only == null || direct ? Grouper.MANY : only.always();
        this.soleTarget = always == Grouper.MANY ? NO_SOLE_TARGET : only.target(always);
        this.soleChoice = always == Grouper.MANY ? List.of() : only.singleton(always);
    }
}
