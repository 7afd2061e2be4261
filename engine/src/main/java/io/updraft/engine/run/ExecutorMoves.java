package io.updraft.engine.run;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.Move;
import java.util.Set;

/** Notes where executors move, and why. From any thread. */
final class ExecutorMoves {
    private static final String OWN_THREAD = "a thread of its own";

    private ExecutorMoves() {}

    public static void toOwnThread(Executor executor, int loop, String reason) {
        add(executor, loop(executor.shared(), loop), OWN_THREAD, reason);
    }

    public static void backToLoop(Executor executor, int loop, String reason) {
        add(executor, OWN_THREAD, loop(executor.shared(), loop), reason);
    }

    public static void betweenLoops(Executor executor, int from, int to, String reason) {
        add(executor, loop(executor.shared(), from), loop(executor.shared(), to), reason);
    }

    /** Notes new numbers of executors, for an operator has changed them. */
    public static void rebalanced(TopologyServices shared, Plan before, Plan now, Set<String> components) {
        for (String component : components) {
            shared.moves()
                    .add(new Move(
                            shared.clock().currentTimeMillis(),
                            component,
                            before.component(component).executors().length + " executors",
                            now.component(component).executors().length + " executors",
                            "rebalanced by an operator"));
        }
    }

    private static void add(Executor executor, String from, String to, String reason) {
        TopologyServices shared = executor.shared();
        ExecutorPlan plan = executor.plan();
        String subject = executor.component().id() + ", task " + plan.taskIds()[0];
        shared.moves().add(new Move(shared.clock().currentTimeMillis(), subject, from, to, reason));
    }

    private static String loop(TopologyServices shared, int loop) {
        String name = "loop " + loop;
        return shared.plan().workers() > 1
                ? name + " of worker " + shared.self().worker()
                : name;
    }
}
