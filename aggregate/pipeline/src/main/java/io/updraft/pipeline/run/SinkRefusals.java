package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that one sink refuses. They become dead letters, and are left out when the other rows are written again. A sink that
 * refuses the first {@value RefusedRow#MANY} rows of a run and takes none ends the run: the table or the topic is wrong, not
 * each of the rows. Not thread-safe.
 */
final class SinkRefusals {

    private static final Logger LOG = LoggerFactory.getLogger(SinkRefusals.class);

    private final ResultSink sink;
    private final GroupRejections rejections;
    /** The results of a flush that lack rows, by the whole result. */
    private final Map<WindowResult, WindowResult> reduced = new IdentityHashMap<>();

    /** The rows that were refused before the sink took the first one. */
    private long refusedFirst;

    private boolean hasTaken;
    private boolean warned;

    SinkRefusals(ResultSink sink, GroupRejections rejections) {
        this.sink = sink;
        this.rejections = rejections;
    }

    /** Returns results without the rows that were refused since {@link #clear}. */
    List<SinkDelivery.ShareResult> accepted(List<SinkDelivery.ShareResult> results) {
        if (reduced.isEmpty()) {
            return results;
        }
        return results.stream()
                .map(each -> new SinkDelivery.ShareResult(each.share(), accepted(each.result())))
                .toList();
    }

    WindowResult accepted(WindowResult result) {
        return reduced.getOrDefault(result, result);
    }

    /**
     * Passes refused rows to the dead letters, and leaves them out from now on.
     *
     * @param results the whole results of the flush
     * @throws SinkException if the sink seems to refuse all rows
     */
    void leaveOut(List<SinkDelivery.ShareResult> results, SinkException refusal) throws SinkException {
        Map<Integer, Map<Long, String>> byResult = new HashMap<>();
        for (RefusedRow row : refusal.refusedRows()) {
            byResult.computeIfAbsent(row.result(), each -> new HashMap<>()).put(row.row(), row.reason());
        }
        checkFirst(accepted(results), byResult, refusal);
        byResult.forEach((index, rows) -> leaveOut(results.get(index), rows));
    }

    private void checkFirst(
            List<SinkDelivery.ShareResult> delivered, Map<Integer, Map<Long, String>> refused, SinkException refusal)
            throws SinkException {
        if (hasTaken) {
            return;
        }
        for (int i = 0; i < delivered.size(); i++) {
            Map<Long, String> rows = refused.getOrDefault(i, Map.of());
            long first = 0;
            while (rows.containsKey(first)) {
                first++;
            }
            refusedFirst += first;
            if (first < delivered.get(i).result().size()) {
                break;
            }
        }
        if (refusedFirst >= RefusedRow.MANY) {
            throw SinkException.lasting(
                    sink.where() + " has refused the first " + refusedFirst
                            + " groups and taken none, so nothing more is" + " written: "
                            + refusal.refusedRows().get(0).reason(),
                    refusal);
        }
    }

    private void leaveOut(SinkDelivery.ShareResult whole, Map<Long, String> rows) {
        WindowResult delivered = accepted(whole.result());
        delivered.forEach(new Consumer<>() {
            private long next;

            @Override
            public void accept(RecordRow row) {
                String reason = rows.get(next++);
                if (reason != null) {
                    String text = sink.where() + " refuses the group: " + reason;
                    rejections.refused(whole, new WindowResult.Overflow(row, text));
                }
            }
        });
        reduced.put(whole.result(), new ReducedResult(delivered, rows.keySet()));
    }

    /** Notes that the sink has taken results. */
    void flushed(List<SinkDelivery.ShareResult> results) {
        hasTaken |= accepted(results).stream().anyMatch(each -> each.result().size() > 0);
        if (!hasTaken && !reduced.isEmpty() && !warned) {
            warned = true;
            LOG.warn(
                    "{} has refused every group so far, {} of them: check what it accepts; the groups are dead letters",
                    sink.where(),
                    refusedFirst);
        }
    }

    /** Forgets the rows: their results are in all sinks. */
    void clear() {
        reduced.clear();
    }

    private record ReducedResult(WindowResult result, Set<Long> without) implements ForwardedResult {

        @Override
        public long size() {
            return result.size() - without.size();
        }

        @Override
        public void forEach(Consumer<RecordRow> rows) {
            result.forEach(new Consumer<>() {
                private long next;

                @Override
                public void accept(RecordRow row) {
                    if (!without.contains(next++)) {
                        rows.accept(row);
                    }
                }
            });
        }
    }

    /** Makes dead letters of groups that cannot be written. Not thread-safe. */
    record GroupRejections(String pipeline, RejectionHandler rejected, WriteCounters counters) {

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
}
