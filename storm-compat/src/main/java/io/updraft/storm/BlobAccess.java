package io.updraft.storm;

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
 * Who may do what with blobs: what Storm's own handler says of their access lists, where {@code storm.blobstore.acl.validation.enabled}
 * asks for it. The caller is that of the calling thread, see {@link KnownCallers}; programs of this process may do everything.
 */
final class BlobAccess {
    private static final Subject OURSELVES = new Subject(true, Set.of(new NimbusPrincipal()), Set.of(), Set.of());

    private final BlobStoreAclHandler handler;

    private BlobAccess(BlobStoreAclHandler handler) {
        this.handler = handler;
    }

    /**
     * Reads who is who.
     *
     * @param conf of the server
     * @throws IOException when a setting makes no sense; the message is one line for users
     */
    static BlobAccess of(Map<String, Object> conf) throws IOException {
        Map<String, Object> whole = new HashMap<>(conf);
        whole.putIfAbsent(Config.STORM_PRINCIPAL_TO_LOCAL_PLUGIN, DefaultPrincipalToLocal.class.getName());
        try {
            return new BlobAccess(new BlobStoreAclHandler(whole));
        } catch (RuntimeException e) {
            throw new IOException(
                    "access to blobs cannot be limited as " + Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED
                            + ", nimbus.admins and what belongs to them say: " + Failures.oneLine(e),
                    e);
        }
    }

    /** Completes the list of a blob that is to be made, and checks that it can be: its maker may do everything with it. */
    void checkNew(String key, SettableBlobMeta meta) throws AuthorizationException {
        int all = BlobStoreAclHandler.READ | BlobStoreAclHandler.WRITE | BlobStoreAclHandler.ADMIN;
        complete(key, meta, all);
        handler.hasPermissions(meta.get_acl(), all, caller(), key);
    }

    /** Completes a list that is to replace another, and checks that the caller may do that. */
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

    /** Who may do anything with a blob may see its description. */
    void checkSee(String key, SettableBlobMeta meta) throws AuthorizationException {
        handler.validateUserCanReadMeta(meta.get_acl(), caller(), key);
    }

    private static Subject caller() {
        Subject subject = ReqContext.context().subject();
        return subject == null ? OURSELVES : subject;
    }
}
