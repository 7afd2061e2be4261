package io.updraft.engine.loop;

import io.updraft.engine.api.ForwardingSpout;
import org.apache.storm.spout.ISpout;

/**
 * A wrapped spout as its collector sees it, which acks a message within its emit where there are no ackers. What the spout emits
 * in {@code ack} then has to come by the wrapper, as all that it emits.
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
