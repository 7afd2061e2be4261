package io.updraft.cluster.codec;

import io.updraft.cluster.codec.FrameOutput.FrameFull;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.Arrays;
import java.util.List;

/**
 * Writes tuples. Remembers the state of the connection, which {@link #keep} updates: a failed write leaves that state
 * unchanged.
 */
final class TupleWriter {
    private static final int NONE = -1;
    private static final Entry[] NOTHING = {};

    private record Entry(String stream, int number) {}

    private final FrameOutput out;
    private final ValueWriter values;

    /**
     * The numbers given to the streams of this connection, by task; a task has few streams, so each list is searched from its
     * start. Keyed by stream name, not by {@link Origin}, because a task that is created again gets new origins.
     */
    private final Entry[][] sources;

    /** By owner, the expected root of the next tuple. */
    private final long[] expected;

    private int sourceCount;
    private Origin origin;
    private int source;
    private int form;
    private int target;
    private int owner;

    private int writtenSource;
    private int writtenForm;

    TupleWriter(FrameOutput out, ValueWriter values, int tasks, int executors) {
        this.out = out;
        this.values = values;
        this.sources = new Entry[tasks][];
        this.expected = new long[executors];
        reset();
    }

    void reset() {
        Arrays.fill(sources, NOTHING);
        sourceCount = 0;
        Arrays.fill(expected, 0);
        origin = null;
        source = NONE;
        form = NONE;
        target = NONE;
        owner = NONE;
    }

    /** Declares the tuple's stream if it is new to the other end; throws {@link FrameFull} when there is no room. */
    void declare(EngineTuple tuple, int maxFrame) {
        Origin tupleOrigin = tuple.origin();
        if (tupleOrigin != origin && find(tupleOrigin) == NONE) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putByte(BatchLayout.DECLARATION);
            out.putVarint(tupleOrigin.taskId());
            values.writeString(tupleOrigin.streamId());
            if (out.position() >= maxFrame) {
                throw FrameFull.SIGNAL;
            }
            add(tupleOrigin);
        }
    }

    void write(EngineTuple tuple, int toTask) {
        Origin tupleOrigin = tuple.origin();
        List<Object> all = tuple.getValues();
        int newSource = tupleOrigin == origin ? source : find(tupleOrigin);
        int newForm = values.form(all);
        out.ensure(BatchLayout.MAX_HEAD);
        int start = out.position();
        out.putByte(0);
        int head = putRoute(newSource, newForm, toTask);
        int newOwner = tuple.owner();
        if (newOwner >= 0) {
            head |= putTree(tuple, newOwner);
        } else if (newOwner == EngineTuple.MANY) {
            head |= BatchLayout.MANY;
            putTrees(tuple);
        }
        out.setByte(start, head);
        values.writeAll(all, newForm);
        writtenSource = newSource;
        writtenForm = newForm;
    }

    private int putRoute(int newSource, int newForm, int newTarget) {
        int head = 0;
        if (newSource != source || newForm != form) {
            head |= BatchLayout.SOURCE;
            out.putVarint(newSource);
            out.putVarint(newForm);
        }
        if (newTarget != target) {
            head |= BatchLayout.TARGET;
            out.putVarint(newTarget);
        }
        return head;
    }

    private int putTree(EngineTuple tuple, int newOwner) {
        int head = 0;
        if (newOwner != owner) {
            head |= BatchLayout.OWNER;
            out.putVarint(newOwner);
        }
        long delta = tuple.root() - expected[newOwner];
        if (delta != 0) {
            head |= BatchLayout.ROOT;
            out.putZigzag(delta);
        }
        if (tuple.isOnlyEdge()) {
            return head | BatchLayout.ONLY_EDGE;
        }
        out.putLong(tuple.pending());
        return head | BatchLayout.ONE;
    }

    /**
     * Writes all trees of the tuple. The edges of the tuple's children, if any, count in every tree, so they are part of each
     * edge.
     */
    private void putTrees(EngineTuple tuple) {
        Anchors trees = tuple.anchors();
        long pending = tuple.pending();
        out.putVarint(trees.size());
        for (int i = 0; i < trees.size(); i++) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putVarint(trees.owner(i));
            out.putZigzag(trees.root(i) - expected[trees.owner(i)]);
            out.putLong(trees.edge(i) ^ pending);
        }
    }

    /** Notes that the last written tuple stays in the frame. */
    void keep(EngineTuple tuple, int toTask) {
        origin = tuple.origin();
        source = writtenSource;
        form = writtenForm;
        target = toTask;
        int tupleOwner = tuple.owner();
        if (tupleOwner >= 0) {
            owner = tupleOwner;
            expected[tupleOwner] = tuple.root() + 1;
        }
    }

    private int find(Origin origin) {
        String stream = origin.streamId();
        for (Entry entry : sources[origin.taskId()]) {
            if (entry.stream.equals(stream)) {
                return entry.number;
            }
        }
        return NONE;
    }

    private void add(Origin origin) {
        Entry[] entries = sources[origin.taskId()];
        Entry[] longer = Arrays.copyOf(entries, entries.length + 1);
        longer[entries.length] = new Entry(origin.streamId(), sourceCount++);
        sources[origin.taskId()] = longer;
    }
}
