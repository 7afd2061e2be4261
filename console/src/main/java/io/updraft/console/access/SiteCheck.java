package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import java.util.Locale;

/**
 * Refuses requests of other web sites, by the headers {@code Origin} and {@code Sec-Fetch-*} that a browser adds. Another port
 * of the same host is another site. Another site may only open the start page in a window.
 *
 * <p>A page of the console sends actions with {@code fetch}, in its default mode {@code cors}. In other modes the browser sends
 * {@code Origin: null}, because the console's pages have the policy {@code no-referrer}.
 */
final class SiteCheck {
    private static final int FORBIDDEN = 403;
    private static final int UNSUPPORTED = 415;
    private static final String OTHER_SITE = "requests of other web sites are refused\n";

    private final String scheme;

    SiteCheck(boolean tls) {
        scheme = tls ? "https://" : "http://";
    }

    /** Returns the answer to a request that is refused; null if it is not. */
    HttpAnswer refusal(HttpQuery query) {
        String site = query.header("Sec-Fetch-Site");
        boolean other = !site.isEmpty() && !site.equals("same-origin") && !site.equals("none");
        String origin = query.header("Origin");
        boolean foreign = !origin.isEmpty() && !origin.equalsIgnoreCase(scheme + query.header("Host"));
        if (foreign || other && !opensStartPage(query)) {
            return HttpAnswer.text(FORBIDDEN, OTHER_SITE);
        }
        return query.isAction() && query.body().length > 0 && !isJson(query)
                ? HttpAnswer.text(UNSUPPORTED, "the body of an action must be application/json\n")
                : null;
    }

    private static boolean opensStartPage(HttpQuery query) {
        String destination = query.header("Sec-Fetch-Dest");
        return !query.isAction()
                && query.path().equals("/")
                && query.header("Sec-Fetch-Mode").equals("navigate")
                && (destination.isEmpty() || destination.equals("document"));
    }

    private static boolean isJson(HttpQuery query) {
        String type = query.header("Content-Type").toLowerCase(Locale.ROOT);
        return type.split(";", -1)[0].strip().equals("application/json");
    }
}
