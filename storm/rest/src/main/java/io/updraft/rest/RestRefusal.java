package io.updraft.rest;

/** A request that is refused: an HTTP status, and one line for the client. */
final class RestRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    private RestRefusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    static RestRefusal badRequest(String message) {
        return new RestRefusal(400, message);
    }

    static RestRefusal notFound(String message) {
        return new RestRefusal(404, message);
    }

    static RestRefusal badMethod(String message) {
        return new RestRefusal(405, message);
    }

    int status() {
        return status;
    }
}
