package io.updraft.timeseries.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the columns want of a value at some path, and of what is in it. The members of an object are found by the hash of the raw
 * bytes of their name, or at once where they come in the order in which they came before: each member remembers which one
 * came after it.
 */
final class PathNode {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ColumnWriter[] NO_COLUMNS = {};
    private static final PathNode[] NO_NODES = {};
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    /** Of one object. */
    private static final int MAX_IGNORED = 256;

    private static final int MAX_IGNORED_BYTES = 64;

    private final byte[] name;
    /** The first bytes of the name with the quote after it if they are at most 8, and which bits of 8 bytes those are. */
    private long word;

    private long mask;
    /** The last 8 bytes of a longer name with the quote after it. */
    private long tail;
    /** Whether the name is written as it is, without escapes. */
    private final boolean plain;

    private final List<PathNode> children = new ArrayList<>();
    private int ignored;
    private PathNode[] table = NO_NODES;
    private int shift;

    /** Columns that want the value. */
    ColumnWriter[] columns = NO_COLUMNS;
    /** What is wanted of the elements of an array, by index; null where nothing is. */
    PathNode[] elements = NO_NODES;
    /** What is wanted of each element or member; null if they are not exploded. */
    PathNode each;
    /** Columns that want the names of exploded members. */
    ColumnWriter[] keys = NO_COLUMNS;
    /** Whether it is of no use but to know the name again: nobody wants a member that is called so. */
    private boolean unwanted;
    /** The member that came first in the last object, and the one that came after this one in its object. */
    PathNode first;

    PathNode next;

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

    /** The node at some steps from here, made if it is not there yet. */
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
     * Remembers the name of a member that nobody wants, so that it too is known at once where it is expected.
     *
     * @return the node for it; null if it is too long, or there are many already
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

    /** This node if it has to do with any column, else null. */
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

    /** The member of a name whose escapes are gone; null if nobody wants it. */
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

    /** Whether this one's name is what begins after a quote, with the quote that ends it. */
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
