package io.updraft.pipeline.run;

import io.updraft.timeseries.query.WindowResult;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dead letters of groups that cannot be written. One thread. */
record GroupRejections(String pipeline, RejectedRecords rejected, WriteCounters counters) {

    private static final Logger LOG = LoggerFactory.getLogger(GroupRejections.class);

    void overflows(SinkDelivery.ShareResult each) {
        if (isLast(each.result())) {
            each.result().forEachOverflow(group -> reject(each, group));
        }
    }

    void refused(SinkDelivery.ShareResult each, WindowResult.Overflow group) {
        if (isLast(each.result())) {
            reject(each, group);
        }
    }

    /** Returns false for early results: by the end of the window the groups may fit. */
    private static boolean isLast(WindowResult result) {
        return result.emission() != WindowResult.Emission.EARLY;
    }

    private void reject(SinkDelivery.ShareResult each, WindowResult.Overflow group) {
        if (counters.overflowed()) {
            LOG.warn(
                    "a group of the window that starts at {} is a dead letter and missing in the result: {};"
                            + " others are only counted",
                    Instant.ofEpochMilli(each.result().window().start()),
                    group.reason());
        }
        String source = each.share() == null ? pipeline : each.share().name();
        rejected.overflow(source, each.result().window(), group);
    }
}
