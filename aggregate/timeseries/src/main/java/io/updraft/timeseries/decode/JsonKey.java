package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.List;

/**
 * The key text of JSON records: the longest sequence of members that columns of the key read, in the order in which a producer
 * writes them. The order is learned from records, and is learned again when records no longer have it. One thread only.
 */
final class JsonKey {

    /** How many records are seen before an order is learned, and how many before it is judged. */
    private static final int SEEN = 8;

    private static final int JUDGED = 1 << 16;

    private final KeyColumns keys;
    private final KeyTexts texts;
    private KeyTexts.Form form;
    private int forms;
    private boolean isLearned;
    private int records;
    /** The look-ups when records were last counted from zero. */
    private long lookUps;

    /** Whether a value of the key text was read already. */
    boolean isRead;

    JsonKey(KeyColumns keys) {
        this.keys = keys;
        this.texts = keys.texts();
    }

    /** Learns the order of members if it is not known, or no longer right. Called while no row has a key text. */
    void prepare(PathNode root) {
        if (records < (isLearned ? JUDGED : SEEN)) {
            return;
        }
        if (!isLearned || texts.lookUps() - lookUps < records >> 1) {
            learn(root);
        }
        isLearned = true;
        records = 0;
        texts.judge();
        lookUps = texts.lookUps();
    }

    void count(int decoded) {
        records += decoded;
    }

    /** Finds the key text that begins at an index, and gives it to the row. Returns its length; 0 if it is not known. */
    int find(byte[] in, int from, int end, RecordRow row) {
        isRead = true;
        return texts.find(form, in, from, end, row);
    }

    void add(byte[] in, int from, int to, RecordRow row) {
        texts.add(form, in, from, to, row);
    }

    /** Called before a column of the key text reads a value. */
    void reads(RecordRow row) {
        isRead = true;
        if (row.keyText() >= 0) {
            row.dropKeyText();
        }
    }

    /** Returns the form of key texts; null if none is known. */
    KeyTexts.Form form() {
        return form;
    }

    private void learn(PathNode root) {
        Sequence longest = longest(root, new Sequence(root, List.of()));
        clear(root);
        texts.clear();
        form = null;
        if (longest.members().isEmpty()) {
            return;
        }
        List<PathNode> members = longest.members();
        longest.object().keyFirst = members.get(0);
        longest.object().keyLast = members.get(members.size() - 1);
        List<ColumnWriter> columns = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            members.get(i).keyIndex = i;
            columns.addAll(List.of(members.get(i).columns));
        }
        form = keys.form(columns, (byte) '"', 0, forms++);
        mark(root, columns.stream().map(ColumnWriter::slot).toList());
    }

    private record Sequence(PathNode object, List<PathNode> members) {}

    /** Returns the longest sequence of members of the key in an object or those in it, or a longer one that was found before. */
    private Sequence longest(PathNode object, Sequence before) {
        Sequence longest = before;
        List<PathNode> members = new ArrayList<>();
        int left = object.children().size();
        for (PathNode child = object.first; child != null && left >= 0; child = child.next, left--) {
            if (isKey(child)) {
                members.add(child);
            } else {
                members = new ArrayList<>();
            }
            if (members.size() > longest.members().size()) {
                longest = new Sequence(object, List.copyOf(members));
            }
        }
        for (PathNode child : object.children()) {
            longest = longest(child, longest);
        }
        return longest;
    }

    private boolean isKey(PathNode member) {
        return member.ifWanted() != null && member.isPlain() && member.isLeaf() && keys.areKeys(member.columns);
    }

    private static void clear(PathNode node) {
        node.keyFirst = null;
        node.keyLast = null;
        node.keyIndex = -1;
        node.ofKey = false;
        node.children().forEach(JsonKey::clear);
    }

    private static void mark(PathNode node, List<Integer> slots) {
        for (ColumnWriter column : node.columns) {
            node.ofKey |= slots.contains(column.slot());
        }
        for (PathNode child : node.children()) {
            mark(child, slots);
        }
        for (PathNode element : node.elements) {
            if (element != null) {
                mark(element, slots);
            }
        }
    }
}
