package io.updraft.storm;

import io.updraft.storm.BlobDirectory.Blob;
import io.updraft.storm.context.LinkedBlobs;
import io.updraft.storm.text.FailureMessages;
import io.updraft.storm.thrift.ThriftService.CallerIdentification;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.security.auth.DefaultPrincipalToLocal;
import org.apache.storm.security.auth.NimbusPrincipal;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedAuthorizationException;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.utils.WrappedKeyAlreadyExistsException;
import org.apache.storm.utils.WrappedKeyNotFoundException;

/**
 * Nimbus' blob calls over a directory. {@code StormSubmitter} stores dependencies by them, {@code storm blobstore} uses them,
 * and topologies find the blobs in their working directories. {@link BlobAccess} enforces access lists. Safe to use from any thread.
 */
final class NimbusBlobs {

    /** Setting: the maximum size of all blobs together, including uploads in progress, in megabytes. */
    static final String LIMIT = "updraft.blobs.limit.mb";

    private static final int DEFAULT_LIMIT_MB = 10 * 1024;
    private static final int DOWNLOAD_CHUNK = 64 * 1024;
    private static final long EXPIRES_NANOS = TimeUnit.HOURS.toNanos(1);

    private final BlobDirectory directory;
    private final BlobAccess access;
    private final NimbusUploads uploads;
    private final long limit;
    private final Map<String, Pending> pending = new HashMap<>();
    private final Map<String, Download> downloads = new HashMap<>();

    /**
     * The purpose of an upload: a new blob with this description, or new contents of an existing blob, if {@code meta} is null.
     */
    private record Pending(String key, SettableBlobMeta meta) {}

    private static final class Download {
        private final InputStream in;
        private long touched = System.nanoTime();

        private Download(InputStream in) {
            this.in = in;
        }
    }

    private NimbusBlobs(BlobDirectory directory, BlobAccess access, long limit) {
        this.directory = directory;
        this.access = access;
        this.uploads = new NimbusUploads(directory.incoming());
        this.limit = limit;
    }

    /**
     * Opens the blobs in a directory, creating it if it does not exist; the message of an exception is one line for users.
     */
    public static NimbusBlobs open(Path root, Map<String, Object> conf) throws IOException {
        int megabytes;
        try {
            megabytes = ObjectReader.getInt(conf.get(LIMIT), DEFAULT_LIMIT_MB);
        } catch (IllegalArgumentException e) {
            throw new IOException(LIMIT + " is '" + conf.get(LIMIT) + "': it must be a number of megabytes", e);
        }
        BlobAccess access = BlobAccess.of(conf);
        return new NimbusBlobs(BlobDirectory.open(root), access, megabytes * 1024L * 1024L);
    }

    public synchronized String beginCreateBlob(String key, SettableBlobMeta meta) throws TException, IOException {
        if (!Utils.isValidKey(key) || !BlobDirectory.isShortEnough(key)) {
            throw new WrappedAuthorizationException(
                    "'" + key + "' is not a valid blob key: a key has at most 255 letters, digits, spaces and ._-");
        }
        access.checkNew(key, meta);
        if (directory.find(key) != null) {
            throw new WrappedKeyAlreadyExistsException("blob '" + key + "' already exists");
        }
        return begin(new Pending(key, meta));
    }

    public synchronized String beginUpdateBlob(String key) throws TException, IOException {
        access.checkWrite(key, find(key).meta());
        return begin(new Pending(key, null));
    }

    private String begin(Pending blob) throws IOException {
        pending.keySet().removeIf(session -> !uploads.isKnown(session));
        String session = uploads.begin("blob-", "");
        pending.put(session, blob);
        return session;
    }

    public synchronized void uploadBlobChunk(String session, ByteBuffer chunk) throws IOException {
        if (directory.bytes() + uploads.bytes() + chunk.remaining() > limit) {
            cancelBlobUpload(session);
            throw new IOException("blob refused: all blobs together would exceed " + LIMIT + " ("
                    + limit / (1024 * 1024) + " MB); delete blobs, or raise the limit");
        }
        uploads.append(session, chunk);
    }

    public synchronized void finishBlobUpload(String session) throws TException, IOException {
        Pending blob = pending.remove(session);
        if (blob == null) {
            throw new IOException("there is no blob upload '" + session + "'");
        }
        uploads.finish(session);
        Path file = uploads.take(session);
        try {
            take(blob, file);
        } catch (IOException e) {
            throw new IOException("blob '" + blob.key + "' cannot be stored: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void take(Pending blob, Path file) throws TException, IOException {
        if (blob.meta == null) {
            directory.put(blob.key, find(blob.key).meta(), file);
        } else if (directory.find(blob.key) != null) {
            throw new WrappedKeyAlreadyExistsException("another client has created blob '" + blob.key + "' meanwhile");
        } else {
            directory.put(blob.key, blob.meta, file);
        }
    }

    public synchronized void cancelBlobUpload(String session) throws IOException {
        pending.remove(session);
        uploads.cancel(session);
    }

    public synchronized ReadableBlobMeta getBlobMeta(String key) throws TException {
        Blob blob = find(key);
        access.checkSee(key, blob.meta());
        return new ReadableBlobMeta(blob.meta(), blob.version());
    }

    public synchronized void setBlobMeta(String key, SettableBlobMeta meta) throws TException, IOException {
        access.checkChange(key, find(key).meta(), meta);
        directory.describe(key, meta);
    }

    public synchronized BeginDownloadResult beginBlobDownload(String key) throws TException, IOException {
        expire();
        Blob blob = find(key);
        access.checkRead(key, blob.meta());
        String session = UUID.randomUUID().toString();
        downloads.put(session, new Download(Files.newInputStream(blob.file())));
        BeginDownloadResult result = new BeginDownloadResult(blob.version(), session);
        result.set_data_size(blob.bytes());
        return result;
    }

    /** {@return the next bytes; empty at the end, which ends the session} */
    public synchronized ByteBuffer downloadBlobChunk(String session) throws IOException {
        Download download = downloads.get(session);
        if (download == null) {
            throw new IOException("there is no download '" + session + "'; it may have ended");
        }
        download.touched = System.nanoTime();
        byte[] chunk = download.in.readNBytes(DOWNLOAD_CHUNK);
        if (chunk.length == 0) {
            downloads.remove(session);
            download.in.close();
        }
        return ByteBuffer.wrap(chunk);
    }

    private void expire() throws IOException {
        long now = System.nanoTime();
        for (String session : List.copyOf(downloads.keySet())) {
            if (now - downloads.get(session).touched > EXPIRES_NANOS) {
                downloads.remove(session).in.close();
            }
        }
    }

    public synchronized void deleteBlob(String key) throws TException, IOException {
        access.checkWrite(key, find(key).meta());
        directory.delete(key);
    }

    /** {@return all keys and a session at the first call; no keys at the next call, which ends the session} */
    public synchronized ListBlobsResult listBlobs(String session) {
        boolean first = session == null || session.isEmpty();
        return new ListBlobsResult(
                first ? directory.keys() : new ArrayList<>(),
                first ? UUID.randomUUID().toString() : session);
    }

    public synchronized int getBlobReplication(String key) throws TException {
        access.checkRead(key, find(key).meta());
        return 1;
    }

    public synchronized boolean isRemoteBlobExists(String key) throws TException {
        Blob blob = directory.find(key);
        if (blob != null) {
            access.checkSee(key, blob.meta());
        }
        return blob != null;
    }

    /**
     * Copies or links the blobs of a topology into a directory with a file for each key. Returns null if the topology has no
     * blobs, or if its configuration names their directory.
     */
    public synchronized Path link(Map<String, Object> conf) throws TException {
        if (!(conf.get(Config.TOPOLOGY_BLOBSTORE_MAP) instanceof Map<?, ?> map)
                || map.isEmpty()
                || conf.get(LinkedBlobs.DIRECTORY) != null) {
            return null;
        }
        List<String> keys = map.keySet().stream().map(String::valueOf).toList();
        for (String key : keys) {
            if (directory.find(key) == null) {
                throw new WrappedInvalidTopologyException(Config.TOPOLOGY_BLOBSTORE_MAP + " names blob '" + key
                        + "', which does not exist; existing blobs: " + directory.keys());
            }
        }
        return link(keys);
    }

    /** Copies or links the current versions of blobs into a directory, which the caller removes. */
    public synchronized Path link(List<String> keys) throws TException {
        for (String key : keys) {
            access.checkRead(key, find(key).meta());
        }
        try {
            return directory.link(keys);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the blobs " + keys + ": " + e.getMessage(), e);
        }
    }

    public synchronized void close() throws IOException {
        uploads.close();
        for (Download download : downloads.values()) {
            download.in.close();
        }
        downloads.clear();
        directory.close();
    }

    private Blob find(String key) throws TException {
        Blob blob = directory.find(key);
        if (blob == null) {
            throw new WrappedKeyNotFoundException("there is no blob '" + key + "'");
        }
        return blob;
    }

    /**
     * Decides which caller may do what with a blob. If {@code storm.blobstore.acl.validation.enabled} is set, Storm's own handler
     * checks the blob's access list. The caller is the one of the calling thread, see {@link CallerIdentification}. Code of this process
     * may do everything.
     */
    private record BlobAccess(BlobStoreAclHandler handler) {
        private static final Subject OURSELVES = new Subject(true, Set.of(new NimbusPrincipal()), Set.of(), Set.of());

        /** Reads the access settings; the message of an exception is one line for users. */
        static BlobAccess of(Map<String, Object> conf) throws IOException {
            Map<String, Object> whole = new HashMap<>(conf);
            whole.putIfAbsent(Config.STORM_PRINCIPAL_TO_LOCAL_PLUGIN, DefaultPrincipalToLocal.class.getName());
            try {
                return new BlobAccess(new BlobStoreAclHandler(whole));
            } catch (RuntimeException e) {
                throw new IOException(
                        "cannot set up access control for blobs; check " + Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED
                                + ", nimbus.admins and the settings around them: " + FailureMessages.oneLine(e),
                        e);
            }
        }

        /** Completes the access list of a new blob and checks it. The creator of the blob gets all rights. */
        void checkNew(String key, SettableBlobMeta meta) throws AuthorizationException {
            int all = BlobStoreAclHandler.READ | BlobStoreAclHandler.WRITE | BlobStoreAclHandler.ADMIN;
            complete(key, meta, all);
            handler.hasPermissions(meta.get_acl(), all, caller(), key);
        }

        /** Completes an access list that is to replace another, and checks that the caller may replace it. */
        void checkChange(String key, SettableBlobMeta before, SettableBlobMeta meta) throws AuthorizationException {
            complete(key, meta, BlobStoreAclHandler.ADMIN);
            handler.hasPermissions(before.get_acl(), BlobStoreAclHandler.ADMIN, caller(), key);
        }

        private void complete(String key, SettableBlobMeta meta, int atLeast) throws AuthorizationException {
            handler.normalizeSettableBlobMeta(key, meta, ReqContext.context().subject(), atLeast);
            BlobStoreAclHandler.validateSettableACLs(key, meta.get_acl());
        }

        void checkRead(String key, SettableBlobMeta meta) throws AuthorizationException {
            handler.hasPermissions(meta.get_acl(), BlobStoreAclHandler.READ, caller(), key);
        }

        void checkWrite(String key, SettableBlobMeta meta) throws AuthorizationException {
            handler.hasPermissions(meta.get_acl(), BlobStoreAclHandler.WRITE, caller(), key);
        }

        /** Checks that the caller may read the blob's description. Any right to the blob is enough. */
        void checkSee(String key, SettableBlobMeta meta) throws AuthorizationException {
            handler.validateUserCanReadMeta(meta.get_acl(), caller(), key);
        }

        private static Subject caller() {
            Subject subject = ReqContext.context().subject();
            return subject == null ? OURSELVES : subject;
        }
    }
}
