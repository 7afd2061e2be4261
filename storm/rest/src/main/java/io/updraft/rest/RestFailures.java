package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import io.updraft.base.text.OneLine;
import java.util.Map;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The status and the body of a request that failed. The body has one line and no stack trace. */
final class RestFailures {
    private static final Logger LOG = LoggerFactory.getLogger(RestFailures.class);
    private static final Map<Integer, String> REASONS = Map.of(
            400, "Bad Request",
            403, "Forbidden",
            404, "Not Found",
            405, "Method Not Allowed",
            500, "Server Error");

    private RestFailures() {}

    static RestAnswer answer(Exception failure, String callback) {
        int status = status(failure);
        if (status == 500) {
            LOG.info("a request of the REST API failed", failure);
        }
        JsonObject body =
                JsonObject.of("error", status + " " + REASONS.get(status)).with("errorMessage", line(failure));
        return RestAnswer.of(status, body, callback);
    }

    private static int status(Exception failure) {
        if (failure instanceof RestRefusal refusal) {
            return refusal.status();
        }
        if (failure instanceof AuthorizationException) {
            return 403;
        }
        return 500;
    }

    private static String line(Exception failure) {
        String message = message(failure);
        return message == null || message.isBlank()
                ? failure.getClass().getSimpleName()
                : OneLine.first(message.strip());
    }

    /** Exceptions that came by Thrift have their text in a field; their message is null or names that field. */
    private static String message(Exception failure) {
        if (failure instanceof AuthorizationException refused) {
            return refused.get_msg();
        }
        if (failure instanceof NotAliveException gone) {
            return gone.get_msg();
        }
        if (failure instanceof AlreadyAliveException taken) {
            return taken.get_msg();
        }
        return failure instanceof InvalidTopologyException invalid ? invalid.get_msg() : failure.getMessage();
    }
}
