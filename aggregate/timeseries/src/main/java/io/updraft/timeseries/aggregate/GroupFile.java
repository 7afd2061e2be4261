package io.updraft.timeseries.aggregate;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Groups in a file, sorted by key, each once. The file is unlinked once it is open, so the disk space is freed with the last
 * reference to it, or with the process.
 */
final class GroupFile {

    private static final int BUFFER = 1 << 16;

    private final Path directory;
    private final FileChannel channel;
    private long size;
    private long overflows;

    private GroupFile(Path directory) throws IOException {
        this.directory = directory;
        Path file = Files.createTempFile(directory, "result-", ".groups");
        channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Merges the groups of all cursors into a file, merging the states of equal groups. Closes the cursors. */
    static GroupFile write(Path directory, GroupLayout layout, List<GroupCursor> cursors) {
        try {
            GroupFile file = new GroupFile(directory);
            DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file.channel), BUFFER));
            file.writeAll(layout, cursors, out);
            out.flush();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write groups into " + directory + ": " + e.getMessage(), e);
        } finally {
            cursors.forEach(GroupCursor::close);
        }
    }

    private void writeAll(GroupLayout layout, List<GroupCursor> cursors, DataOutputStream out) throws IOException {
        // Equal keys come in the order of the cursors, because the last value of the later one counts.
        PriorityQueue<Integer> heap = new PriorityQueue<>(
                Comparator.comparing((Integer i) -> cursors.get(i).key(), Arrays::compareUnsigned)
                        .thenComparing(Comparator.naturalOrder()));
        for (int i = 0; i < cursors.size(); i++) {
            if (cursors.get(i).next()) {
                heap.add(i);
            }
        }
        EncodedStateMerge merge = new EncodedStateMerge(layout);
        while (!heap.isEmpty()) {
            byte[] key = cursors.get(heap.element()).key();
            while (!heap.isEmpty() && Arrays.equals(cursors.get(heap.element()).key(), key)) {
                int cursor = heap.remove();
                merge.add(key, cursors.get(cursor).states());
                if (cursors.get(cursor).next()) {
                    heap.add(cursor);
                }
            }
            overflows += merge.fits() ? 0 : 1;
            out.writeInt(key.length);
            out.write(key);
            out.write(merge.take());
            size++;
        }
    }

    Path directory() {
        return directory;
    }

    long size() {
        return size;
    }

    /** Returns the number of groups that do not fit into a row. */
    long overflows() {
        return overflows;
    }

    /** Iterates over the file from its beginning. Only one cursor at a time may be in use. */
    GroupCursor read() {
        try {
            channel.position(0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read groups from " + directory + ": " + e.getMessage(), e);
        }
        InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
        return new FileCursor(new DataInputStream(in));
    }

    private final class FileCursor implements GroupCursor {
        private final DataInputStream in;
        private long left;
        private byte[] key;
        private ByteBuffer states;

        FileCursor(DataInputStream in) {
            this.in = in;
            left = size;
        }

        @Override
        public boolean next() {
            if (left-- <= 0) {
                return false;
            }
            try {
                key = in.readNBytes(in.readInt());
                int length = in.readInt();
                states = ByteBuffer.allocate(4 + length).putInt(length);
                in.readFully(states.array(), 4, length);
                states.rewind();
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read groups from " + directory + ": " + e.getMessage(), e);
            }
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public ByteBuffer states() {
            return states;
        }

        @Override
        public void close() {}
    }

    /** Merges encoded states of one group, in small tables that are reused for each group. */
    private static final class EncodedStateMerge {

        private static final int MANY_VALUES = 4096;

        private final GroupLayout layout;
        private final GroupState state;
        private final GroupCodec codec;
        private final ResultColumns columns;
        private final GroupTable whole;
        private final GroupTable part;
        private Dictionaries dictionaries;

        EncodedStateMerge(GroupLayout layout) {
            this.layout = layout;
            state = new GroupState(layout);
            codec = new GroupCodec(layout);
            columns = new ResultColumns(layout);
            whole = new GroupTable(layout);
            part = new GroupTable(layout);
            dictionaries = new Dictionaries(layout);
        }

        /** Adds states, each preceded by its length. */
        void add(byte[] key, ByteBuffer states) {
            while (states.hasRemaining()) {
                int end = states.getInt() + states.position();
                if (whole.size == 0) {
                    codec.read(key, states, whole, dictionaries);
                } else {
                    part.clear();
                    codec.read(key, states, part, dictionaries);
                    state.merge(whole, 0, dictionaries.texts, part, 0, dictionaries.texts);
                }
                states.position(end);
            }
        }

        /** Returns whether the measures of the states added since the last {@link #take} fit into a row. */
        boolean fits() {
            return columns.fits(whole, 0);
        }

        /** Returns the merged state of all states added since the last call. */
        byte[] take() {
            byte[] bytes = codec.state(whole, 0, dictionaries);
            whole.clear();
            if (dictionaries.size() > MANY_VALUES) {
                dictionaries = new Dictionaries(layout);
            }
            return bytes;
        }
    }
}
