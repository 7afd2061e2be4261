package io.updraft.storm.blob;

import io.updraft.storm.text.FailureMessages;
import io.updraft.storm.thrift.CallerIdentification;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.security.auth.DefaultPrincipalToLocal;
import org.apache.storm.security.auth.NimbusPrincipal;
import org.apache.storm.security.auth.ReqContext;

/**
 * Decides which caller may do what with a blob. If {@code storm.blobstore.acl.validation.enabled} is set, Storm's own handler
 * checks the blob's access list. The caller is the one of the calling thread, see {@link CallerIdentification}. Code of this process
 * may do everything.
 */
final class BlobAccess {
    private static final Subject OURSELVES = new Subject(true, Set.of(new NimbusPrincipal()), Set.of(), Set.of());

    private final BlobStoreAclHandler handler;

    private BlobAccess(BlobStoreAclHandler handler) {
        this.handler = handler;
    }

    /**
     * Reads the access settings.
     *
     * @param conf the configuration of the server
     * @throws IOException when a setting is invalid; the message is one line for users
     */
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
