package io.updraft.timeseries.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns that read a value at a path, and the nodes of its members and elements. A member is found by the hash of the raw
 * bytes of its name. It is found immediately if members come in the same order as before: each node remembers the member that
 * followed it.
 */
final class PathNode {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ColumnWriter[] NO_COLUMNS = {};
    private static final PathNode[] NO_NODES = {};
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int MAX_IGNORED = 256;
    private static final int MAX_IGNORED_BYTES = 64;

    private final byte[] name;
    /** The first bytes of the name with its closing quote if they are at most 8, and the mask of those bytes. */
    private long word;

    private long mask;
    /** The last 8 bytes of a longer name with its closing quote. */
    private long tail;
    /** Whether the name is written without escapes. */
    private final boolean plain;

    private final List<PathNode> children = new ArrayList<>();
    private int ignored;
    private PathNode[] table = NO_NODES;
    private int shift;

    ColumnWriter[] columns = NO_COLUMNS;
    /** The nodes of the elements of an array, by index; null for an element that no column reads. */
    PathNode[] elements = NO_NODES;
    /** The node of each exploded element or member; null if they are not exploded. */
    PathNode each;
    /** The columns that read the names of exploded members. */
    ColumnWriter[] keys = NO_COLUMNS;
    /** Whether no column reads this member. The node then only serves to recognize the name. */
    private boolean unwanted;
    /** The first member of the last object; and the member that followed this one in its object. */
    PathNode first;

    PathNode next;

    /** The first and the last member of the key text in this object; null if there is none. */
    PathNode keyFirst;

    PathNode keyLast;
    /** The place of this member in its object's key text; -1 if it is not in one. */
    int keyIndex = -1;
    /** Whether a column of a key text reads this member, in the key text or elsewhere. */
    boolean ofKey;
    /** The only column, if it takes short numbers as they are; null otherwise. */
    ColumnWriter numbers;

    PathNode() {
        this("");
    }

    private PathNode(String name) {
        this.name = name.getBytes(StandardCharsets.UTF_8);
        this.plain = name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
        byte[] quoted = Arrays.copyOf(this.name, Math.max(8, this.name.length + 1));
        quoted[this.name.length] = '"';
        int count = Math.min(8, this.name.length + 1);
        this.mask = count == 8 ? -1 : (1L << 8 * count) - 1;
        this.word = (long) LONGS.get(quoted, 0) & mask;
        this.tail = count < 8 ? 0 : (long) LONGS.get(quoted, quoted.length - 8);
    }

    /** Returns the node at some steps from this one. Creates missing nodes. */
    PathNode at(List<Object> steps) {
        PathNode node = this;
        for (Object step : steps) {
            node = step instanceof Integer index ? node.element(index) : node.child((String) step);
        }
        return node;
    }

    static ColumnWriter[] with(ColumnWriter[] columns, ColumnWriter column) {
        ColumnWriter[] all = Arrays.copyOf(columns, columns.length + 1);
        all[columns.length] = column;
        return all;
    }

    /** Adds a column that reads the value. */
    void add(ColumnWriter column) {
        columns = with(columns, column);
        numbers = columns.length == 1 && column.takesShortNumbers() ? column : null;
    }

    private PathNode element(int index) {
        if (index >= elements.length) {
            elements = Arrays.copyOf(elements, index + 1);
        }
        if (elements[index] == null) {
            elements[index] = new PathNode();
        }
        return elements[index];
    }

    private PathNode child(String called) {
        byte[] utf8 = called.getBytes(StandardCharsets.UTF_8);
        PathNode found = find(utf8, 0, utf8.length);
        if (found == null) {
            found = new PathNode(called);
            children.add(found);
            index();
        }
        return found;
    }

    /**
     * Adds a node for a member that no column reads, so that its name is recognized immediately where it is expected.
     *
     * @return the node; null if the name is too long, or there are too many nodes already
     */
    PathNode ignore(byte[] bytes, int from, int end) {
        if (ignored == MAX_IGNORED || end - from > MAX_IGNORED_BYTES || table.length == 0) {
            return null;
        }
        ignored++;
        PathNode node = new PathNode(new String(bytes, from, end - from, StandardCharsets.UTF_8));
        node.unwanted = true;
        children.add(node);
        index();
        return node;
    }

    /** Remembers that a member, if it is not null, followed another one; or that it was the first if that is null. */
    void expect(PathNode before, PathNode child) {
        if (child != null && before == null) {
            first = child;
        } else if (child != null) {
            before.next = child;
        }
    }

    /** Returns whether no column reads a member or an element. */
    boolean isLeaf() {
        return table.length == 0 && elements.length == 0;
    }

    boolean isPlain() {
        return plain;
    }

    List<PathNode> children() {
        return children;
    }

    PathNode ifWanted() {
        return unwanted ? null : this;
    }

    /** Fills a table that is at most half full. */
    private void index() {
        int bits = 34 - Integer.numberOfLeadingZeros(children.size());
        if (table.length >= 2 * children.size() && !children.isEmpty()) {
            insert(children.get(children.size() - 1));
            return;
        }
        table = new PathNode[1 << bits];
        shift = 64 - bits;
        children.forEach(this::insert);
    }

    private void insert(PathNode child) {
        int at = place(child.name, 0, child.name.length);
        while (table[at] != null) {
            at = (at + 1) & (table.length - 1);
        }
        table[at] = child;
    }

    /** Returns the member with a name, whose escapes are decoded; null if no column reads it. */
    PathNode find(byte[] bytes, int from, int end) {
        if (table.length == 0) {
            return null;
        }
        int at = place(bytes, from, end);
        while (table[at] != null) {
            if (Arrays.equals(table[at].name, 0, table[at].name.length, bytes, from, end)) {
                return table[at];
            }
            at = (at + 1) & (table.length - 1);
        }
        return null;
    }

    private int place(byte[] bytes, int from, int end) {
        long hash = end - from;
        int at = from;
        for (; at + 8 <= end; at += 8) {
            hash = (hash ^ (long) LONGS.get(bytes, at)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        for (; at < end; at++) {
            hash = (hash ^ bytes[at]) * MULTIPLIER;
        }
        hash ^= hash >>> 32;
        return (int) (hash * MULTIPLIER >>> shift);
    }

    /** Returns whether this node's name, with its closing quote, follows an opening quote. */
    boolean isNext(byte[] bytes, int at, int end) {
        int length = name.length;
        if (end - at <= length || !plain) {
            return false;
        }
        if (length < 8) {
            return at + 8 <= bytes.length
                    ? ((long) LONGS.get(bytes, at) & mask) == word
                    : bytes[at + length] == '"' && Arrays.equals(bytes, at, at + length, name, 0, length);
        }
        return (long) LONGS.get(bytes, at) == word
                && (long) LONGS.get(bytes, at + length - 7) == tail
                && (length < 16 || Arrays.equals(bytes, at, at + length, name, 0, length));
    }

    int nameLength() {
        return name.length;
    }
}
