package io.updraft.console.access;

import io.updraft.console.access.ClientCheck.Client;
import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpFilter;
import io.updraft.http.HttpPage;
import io.updraft.http.HttpQuery;
import java.net.InetSocketAddress;

/**
 * Decides which requests the pages of the console answer. The order of the rules: the name of this host, the client, the web
 * site that sends the request, and whether actions are allowed. Every action is logged.
 */
final class ConsoleAccess implements HttpFilter {
    private static final int FORBIDDEN = 403;

    private final HostNames hosts;
    private final ClientCheck clients;
    private final SiteCheck sites;
    private final boolean readOnly;
    private final AuditLog audit;

    ConsoleAccess(HostNames hosts, ClientCheck clients, SiteCheck sites, boolean readOnly, AuditLog audit) {
        this.hosts = hosts;
        this.clients = clients;
        this.sites = sites;
        this.readOnly = readOnly;
        this.audit = audit;
    }

    @Override
    public HttpAnswer answer(HttpQuery query, HttpPage page) {
        HttpAnswer misdirected = hosts.refusal(query);
        Client client = misdirected == null ? clients.check(query) : Client.refused(misdirected);
        HttpAnswer answer = client.answer() == null
                ? answer(query.withUser(client.user()), page, sites.refusal(query))
                : client.answer();
        if (query.isAction()) {
            audit.log(client.user(), client.answer() == null, query, answer.status());
        }
        return answer;
    }

    @Override
    public boolean isStranger(InetSocketAddress peer, InetSocketAddress local) {
        return clients.isStranger(peer, local);
    }

    private HttpAnswer answer(HttpQuery query, HttpPage page, HttpAnswer refusal) {
        if (refusal != null) {
            return refusal;
        }
        return readOnly && query.isAction()
                ? HttpAnswer.text(FORBIDDEN, "the console is read-only (" + UiSettings.READ_ONLY + ")\n")
                : page.get(query);
    }
}
