package io.updraft.observe.view;

import java.util.List;

/**
 * What a component has emitted to one stream since its start.
 *
 * @param stream the stream
 * @param fields the fields of its tuples; null if the source does not say
 * @param emitted tuples emitted
 * @param transferred tuples sent: one for each task that receives
 * @param acked trees acked; of a bolt, 0
 * @param failed trees failed; of a bolt, 0
 * @param completeMillis the mean time from the emit of a tree to its ack, milliseconds; null if there is none
 */
public record OutputView(
        String stream,
        List<String> fields,
        long emitted,
        long transferred,
        long acked,
        long failed,
        Double completeMillis) {}
