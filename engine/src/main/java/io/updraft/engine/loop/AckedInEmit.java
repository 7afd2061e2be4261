package io.updraft.engine.loop;

import io.updraft.engine.api.ForwardingSpout;
import org.apache.storm.spout.ISpout;

/**
 * Forwards acks from the collector to a wrapped spout when there are no ackers. The collector then acks a message within its
 * emit. Tuples that the spout emits in {@code ack} must pass the wrapper, as all its tuples do.
 */
final class AckedInEmit extends ForwardingSpout {
    private static final long serialVersionUID = 1L;

    private final transient SpoutCollector collector;

    AckedInEmit(ISpout spout, SpoutCollector collector) {
        super(spout);
        this.collector = collector;
    }

    @Override
    public void ack(Object messageId) {
        boolean quick = collector.interrupt();
        try {
            super.ack(messageId);
        } finally {
            if (quick) {
                collector.goOn();
            }
        }
    }
}
