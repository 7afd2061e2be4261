package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.storm.thrift.AllowedUsers;
import java.net.InetSocketAddress;

/** Admits processes of some users of this host, by the kernel's socket tables. */
final class LocalUserCheck implements ClientCheck {
    private static final int FORBIDDEN = 403;

    private final AllowedUsers users;
    private final LocalPeers peers;

    LocalUserCheck(AllowedUsers users, LocalPeers peers) {
        this.users = users;
        this.peers = peers;
    }

    @Override
    public Client check(HttpQuery query) {
        String refusal = users.refusal(query.peer(), query.local());
        String user = peers.describe(query);
        return new Client(user, refusal == null ? null : HttpAnswer.text(FORBIDDEN, refusal + "\n"));
    }

    @Override
    public boolean isStranger(InetSocketAddress peer, InetSocketAddress local) {
        return users.refusal(peer, local) != null;
    }
}
