package io.updraft.microbench.json;

import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The use of a JSON value: store it in a slot, or descend to some of its members. The same for all libraries. */
final class Wanted {

    final Map<String, Wanted> members = new HashMap<>();
    int slot = -1;
    FieldType type;

    private long[] hashes = {};
    private Wanted[] byHash = {};

    static Wanted of(DecodeSpec spec) {
        Wanted root = new Wanted();
        List<DecodedColumn> columns = spec.columns();
        for (int i = 0; i < columns.size(); i++) {
            Wanted node = root;
            for (String step : columns.get(i).path().split("\\.")) {
                node = node.members.computeIfAbsent(step, name -> new Wanted());
            }
            node.slot = i;
            node.type = columns.get(i).type();
        }
        return root;
    }

    /** Lets members be found by the hash that a library computes anyway; the load is at most a quarter. */
    Wanted hashedBy(ToLongFunction<String> hash) {
        int size = Integer.highestOneBit(4 * members.size() + 1) * 2;
        hashes = new long[size];
        byHash = new Wanted[size];
        members.forEach((name, member) -> {
            long of = hash.applyAsLong(name);
            int at = (int) (of ^ of >>> 32) & (size - 1);
            while (byHash[at] != null) {
                at = (at + 1) & (size - 1);
            }
            hashes[at] = of;
            byHash[at] = member.hashedBy(hash);
        });
        return this;
    }

    Wanted find(long hash) {
        int at = (int) (hash ^ hash >>> 32) & (byHash.length - 1);
        while (byHash[at] != null && hashes[at] != hash) {
            at = (at + 1) & (byHash.length - 1);
        }
        return byHash[at];
    }
}
