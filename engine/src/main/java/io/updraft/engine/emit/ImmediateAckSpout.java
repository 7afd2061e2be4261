package io.updraft.engine.emit;

import io.updraft.engine.api.ForwardingSpout;
import org.apache.storm.spout.ISpout;

/**
 * Forwards acks from the collector to a wrapped spout when there are no ackers. The collector then acks a message within its
 * emit. Tuples that the spout emits in {@code ack} must pass the wrapper, as all its tuples do.
 */
final class ImmediateAckSpout extends ForwardingSpout {
    private static final long serialVersionUID = 1L;

    private final transient SpoutCollector collector;

    ImmediateAckSpout(ISpout spout, SpoutCollector collector) {
        super(spout);
        this.collector = collector;
    }

    @Override
    public void ack(Object messageId) {
        boolean quick = collector.suspendQuickPath();
        try {
            super.ack(messageId);
        } finally {
            if (quick) {
                collector.resumeQuickPath();
            }
        }
    }
}
