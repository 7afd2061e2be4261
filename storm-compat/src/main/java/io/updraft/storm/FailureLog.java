package io.updraft.storm;

import io.updraft.engine.api.ErrorReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where failures of user code go when nobody else listens: the log, as in a Storm worker. */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private FailureLog() {}

    static void error(String topology, ErrorReport report) {
        LOG.error("{}: {}: {}", topology, where(report), report.consequence(), report.error());
    }

    static void death(String topology, ErrorReport report) {
        LOG.error("{}: {}, which ended the topology", topology, where(report), report.error());
    }

    private static String where(ErrorReport report) {
        return report.during() + " of '" + report.componentId() + "' (task " + report.taskId() + ") failed";
    }
}
