package io.updraft.timeseries.aggregate;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Groups that did not fit into memory, in RocksDB. A key consists of the numbers of the aggregator and of the pane, and the key
 * of the group. An evicted state is appended to the states stored before ("merge" in RocksDB), so nothing is read until the
 * window is closed. The only class that depends on RocksDB. One thread only.
 */
final class SpillStore implements AutoCloseable {

    private static final long BATCH_BYTES = 1 << 20;

    private final Path directory;
    private final Options options;
    private final StringAppendOperator append;
    private final WriteOptions noLog;
    private final RocksDB db;

    /**
     * Creates a new directory in {@code parent}.
     *
     * @throws IllegalStateException when RocksDB is not on the class path or cannot start
     */
    static SpillStore into(Path parent) {
        try {
            return new SpillStore(parent);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "there are too many groups for memory, and evicting them to " + parent
                            + " needs org.rocksdb:rocksdbjni, which is not on the class path",
                    e);
        } catch (IOException | RocksDBException e) {
            throw new IllegalStateException("cannot evict groups to " + parent + ": " + e.getMessage(), e);
        }
    }

    /** Loads RocksDB's native library. RocksDB reports a library that it cannot unpack by a plain RuntimeException. */
    private static void loadLibrary(Path parent) {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(
                    "cannot evict groups to " + parent + ": RocksDB's native library cannot be loaded from "
                            + System.getProperty("java.io.tmpdir") + " (" + cause.getMessage()
                            + "): the directory needs 20 MB and must not be mounted noexec; set another one with"
                            + " UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY",
                    e);
        }
    }

    private SpillStore(Path parent) throws IOException, RocksDBException {
        loadLibrary(parent);
        directory = Files.createTempDirectory(Files.createDirectories(parent), "groups-");
        append = new StringAppendOperator("");
        options = new Options()
                .setCreateIfMissing(true)
                .setMergeOperator(append)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
        // No write-ahead log: after a crash the records are read again, and these groups are useless.
        noLog = new WriteOptions().setDisableWAL(true);
        db = RocksDB.open(options, directory.resolve("db").toString());
    }

    Path directory() {
        return directory;
    }

    /** Returns the bytes in files and write buffers. A removed group counts until its file is rewritten. */
    long bytes() {
        try {
            return db.getLongProperty("rocksdb.total-sst-files-size")
                    + db.getLongProperty("rocksdb.cur-size-all-mem-tables");
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    void add(int aggregator, long pane, GroupTable table, Dictionaries dictionaries, GroupCodec codec) {
        try (WriteBatch batch = new WriteBatch()) {
            for (int group = 0; group < table.size; group++) {
                batch.merge(
                        key(aggregator, pane, codec.key(table, group, dictionaries)),
                        codec.state(table, group, dictionaries));
                if (batch.getDataSize() > BATCH_BYTES) {
                    db.write(noLog, batch);
                    batch.clear();
                }
            }
            db.write(noLog, batch);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private static byte[] key(int aggregator, long pane, byte... key) {
        return ByteBuffer.allocate(12 + key.length)
                .putInt(aggregator)
                .putLong(pane)
                .put(key)
                .array();
    }

    GroupCursor read(int aggregator, long pane) {
        return new Cursor(db.newIterator(), key(aggregator, pane));
    }

    void remove(int aggregator, long pane) {
        remove(key(aggregator, pane), key(aggregator, pane + 1));
    }

    void remove(int aggregator) {
        remove(key(aggregator, 0), key(aggregator + 1, 0));
    }

    private void remove(byte[] from, byte[] to) {
        try {
            db.deleteRange(noLog, from, to);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private IllegalStateException failure(RocksDBException e) {
        return new IllegalStateException("cannot evict groups to " + directory + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        db.close();
        noLog.close();
        options.close();
        append.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory + ": " + e.getMessage(), e);
        }
    }

    private static final class Cursor implements GroupCursor {
        private final RocksIterator iterator;
        private final byte[] pane;
        private boolean begun;
        private byte[] key;

        Cursor(RocksIterator iterator, byte[] pane) {
            this.iterator = iterator;
            this.pane = pane;
        }

        @Override
        public boolean next() {
            if (begun) {
                iterator.next();
            } else {
                iterator.seek(pane);
                begun = true;
            }
            if (!iterator.isValid()) {
                return false;
            }
            byte[] whole = iterator.key();
            key = Arrays.copyOfRange(whole, pane.length, whole.length);
            return Arrays.equals(whole, 0, pane.length, pane, 0, pane.length);
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public ByteBuffer states() {
            return ByteBuffer.wrap(iterator.value());
        }

        @Override
        public void close() {
            iterator.close();
        }
    }
}
