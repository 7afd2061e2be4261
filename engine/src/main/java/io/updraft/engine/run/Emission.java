package io.updraft.engine.run;

import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.EngineTuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.storm.tuple.Tuple;

/** Functions shared by all ways to emit. */
final class Emission {

    @FunctionalInterface
    interface TreeVisitor {
        void visit(int owner, long root);
    }

    private Emission() {}

    /** Chooses the target tasks with all groupers of a stream. */
    static List<Integer> choose(OutStream stream, List<Object> values) {
        Grouper[] groupers = stream.groupers;
        if (groupers.length == 1) {
            return choose(groupers[0], values);
        }
        if (groupers.length == 0) {
            return List.of();
        }
        List<Integer> tasks = new ArrayList<>(groupers.length);
        for (Grouper grouper : groupers) {
            tasks.addAll(choose(grouper, values));
        }
        return tasks;
    }

    private static List<Integer> choose(Grouper grouper, List<Object> values) {
        int choice = grouper.choose(values);
        return choice == Grouper.MANY ? grouper.chooseMany(values) : grouper.singleton(choice);
    }

    static Tuple onlyOne(Collection<Tuple> anchors) {
        return anchors == null || anchors.isEmpty() ? null : anchors.iterator().next();
    }

    static void addTrees(Anchors trees, EngineTuple parent, long edge) {
        if (parent.owner() >= 0) {
            trees.add(parent.owner(), parent.root(), edge);
        } else {
            forEachTree(parent, (owner, root) -> trees.add(owner, root, edge));
        }
    }

    static void forEachTree(EngineTuple tuple, TreeVisitor visitor) {
        if (tuple.owner() >= 0) {
            visitor.visit(tuple.owner(), tuple.root());
        } else if (tuple.owner() == EngineTuple.MANY) {
            Anchors trees = tuple.anchors();
            for (int i = 0; i < trees.size(); i++) {
                visitor.visit(trees.owner(i), trees.root(i));
            }
        }
    }
}
