package io.updraft.engine.loop;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Origin;
import java.util.List;

/**
 * One output stream of one task, ready to emit on.
 *
 * @param origin stamped on each tuple
 * @param direct whether only emitDirect may be used
 * @param only the grouper if there is exactly one subscription, else null
 * @param groupers one for each subscription; empty for a direct stream
 * @param directTargets task ids that may be named in emitDirect
 */
record OutStream(Origin origin, boolean direct, Grouper only, Grouper[] groupers, List<Integer> directTargets) {}
