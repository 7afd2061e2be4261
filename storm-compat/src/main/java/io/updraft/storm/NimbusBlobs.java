package io.updraft.storm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedAuthorizationException;
import org.apache.storm.utils.WrappedKeyAlreadyExistsException;
import org.apache.storm.utils.WrappedKeyNotFoundException;

/**
 * The blob calls of Nimbus over a directory: what {@code StormSubmitter} keeps dependencies in, and {@code storm blobstore}
 * speaks to. Keys are not names of files. Access lists are kept and not enforced, for nobody is authenticated. Called by
 * name, see {@link LocalNimbus}; safe to use from any thread.
 */
final class NimbusBlobs {
    private static final int DOWNLOAD_CHUNK = 64 * 1024;

    private final NimbusUploads uploads;
    private final Map<String, Blob> blobs = new TreeMap<>();
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();
    private final Map<String, InputStream> downloads = new ConcurrentHashMap<>();
    private long versions;

    private record Blob(Path file, SettableBlobMeta meta, long version) {}

    /** What becomes of an upload: a new blob with this description, or new contents of an old one, which has its own. */
    private record Pending(String key, SettableBlobMeta meta) {}

    NimbusBlobs(NimbusUploads uploads) {
        this.uploads = uploads;
    }

    /** The file of a blob. */
    synchronized Path fileOf(String key) throws TException {
        return find(key).file;
    }

    public synchronized String beginCreateBlob(String key, SettableBlobMeta meta) throws TException, IOException {
        if (!Utils.isValidKey(key)) {
            throw new WrappedAuthorizationException(
                    "'" + key + "' is no key of a blob: it may have letters, digits and ._-");
        }
        if (blobs.containsKey(key)) {
            throw new WrappedKeyAlreadyExistsException("there is a blob '" + key + "' already");
        }
        return begin(new Pending(key, meta));
    }

    public synchronized String beginUpdateBlob(String key) throws TException, IOException {
        find(key);
        return begin(new Pending(key, null));
    }

    private String begin(Pending blob) throws IOException {
        String session = uploads.begin("blob-", "");
        pending.put(session, blob);
        return session;
    }

    public void uploadBlobChunk(String session, ByteBuffer chunk) throws IOException {
        uploads.append(session, chunk);
    }

    public synchronized void finishBlobUpload(String session) throws TException, IOException {
        Pending blob = pending.remove(session);
        if (blob == null) {
            throw new IOException("there is no upload of a blob '" + session + "'");
        }
        uploads.finish(session);
        Path file = uploads.take(session);
        SettableBlobMeta meta = blob.meta == null ? find(blob.key).meta : blob.meta;
        Blob before = blobs.put(blob.key, new Blob(file, meta, ++versions));
        if (before != null) {
            Files.deleteIfExists(before.file);
        }
    }

    public void cancelBlobUpload(String session) throws IOException {
        pending.remove(session);
        uploads.cancel(session);
    }

    public synchronized ReadableBlobMeta getBlobMeta(String key) throws TException {
        Blob blob = find(key);
        return new ReadableBlobMeta(blob.meta, blob.version);
    }

    public synchronized void setBlobMeta(String key, SettableBlobMeta meta) throws TException {
        Blob blob = find(key);
        blobs.put(key, new Blob(blob.file, meta, blob.version));
    }

    public synchronized BeginDownloadResult beginBlobDownload(String key) throws TException, IOException {
        Blob blob = find(key);
        String session = UUID.randomUUID().toString();
        downloads.put(session, Files.newInputStream(blob.file));
        BeginDownloadResult result = new BeginDownloadResult(blob.version, session);
        result.set_data_size(Files.size(blob.file));
        return result;
    }

    /** {@return the next bytes; none at the end, with which the session ends} */
    public ByteBuffer downloadBlobChunk(String session) throws IOException {
        InputStream in = downloads.get(session);
        if (in == null) {
            throw new IOException("there is no download '" + session + "'; it may be over");
        }
        byte[] chunk = in.readNBytes(DOWNLOAD_CHUNK);
        if (chunk.length == 0) {
            downloads.remove(session);
            in.close();
        }
        return ByteBuffer.wrap(chunk);
    }

    public synchronized void deleteBlob(String key) throws TException, IOException {
        Files.deleteIfExists(find(key).file);
        blobs.remove(key);
    }

    /** {@return all keys at the first call, with a session; none at the next, which ends it} */
    public synchronized ListBlobsResult listBlobs(String session) {
        boolean first = session == null || session.isEmpty();
        return new ListBlobsResult(
                first ? new ArrayList<>(blobs.keySet()) : new ArrayList<>(),
                first ? UUID.randomUUID().toString() : session);
    }

    public synchronized int getBlobReplication(String key) throws TException {
        find(key);
        return 1;
    }

    public synchronized int updateBlobReplication(String key, int replication) throws TException {
        return getBlobReplication(key);
    }

    public synchronized boolean isRemoteBlobExists(String key) {
        return blobs.containsKey(key);
    }

    /** There is no ZooKeeper, and nobody but this server to tell. */
    public void createStateInZookeeper(String key) {}

    /** Ends downloads that were not read to their end. */
    void close() throws IOException {
        for (InputStream in : downloads.values()) {
            in.close();
        }
        downloads.clear();
    }

    private Blob find(String key) throws TException {
        Blob blob = blobs.get(key);
        if (blob == null) {
            throw new WrappedKeyNotFoundException("there is no blob '" + key + "'");
        }
        return blob;
    }
}
