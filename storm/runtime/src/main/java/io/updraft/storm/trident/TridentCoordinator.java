package io.updraft.storm.trident;

import io.updraft.engine.api.ForwardingSpout;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.topology.MasterBatchCoordinator;
import org.apache.storm.utils.WindowedTimeThrottler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the coordinator of Trident's batches from beginning a transaction before its predecessor. */
final class TridentCoordinator extends ForwardingSpout {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TridentCoordinator.class);

    private final transient MasterBatchCoordinator coordinator;
    private transient SteadyThrottler throttler = new SteadyThrottler(new WindowedTimeThrottler(0, 1));

    TridentCoordinator(MasterBatchCoordinator coordinator) {
        super(coordinator);
        this.coordinator = coordinator;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        super.open(conf, context, collector);
        replaceThrottler();
    }

    /** Replaces the throttler that the coordinator creates when it is opened. */
    void replaceThrottler() {
        try {
            throttler = new SteadyThrottler(
                    (WindowedTimeThrottler) Steps.get(coordinator, MasterBatchCoordinator.class, "throttler"));
            Steps.field(MasterBatchCoordinator.class, "throttler").set(coordinator, throttler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("this version of Trident is unknown: batches may begin out of order, as on Storm", e);
        }
    }

    @Override
    public void nextTuple() {
        throttler.begin();
        super.nextTuple();
    }

    @Override
    public void ack(Object messageId) {
        throttler.begin();
        super.ack(messageId);
    }

    @Override
    public void fail(Object messageId) {
        throttler.begin();
        super.fail(messageId);
    }

    /**
     * Gives the same answer throughout one call of a spout. Storm's coordinator asks once for each transaction that it could begin,
     * the lowest first. If the interval between two batches ended between two of these questions, the coordinator would begin a
     * transaction before its predecessor. Belongs to the thread of the spout.
     */
    private static final class SteadyThrottler extends WindowedTimeThrottler {
        private final WindowedTimeThrottler throttler;
        private boolean known;
        private boolean throttled;

        SteadyThrottler(WindowedTimeThrottler throttler) {
            super(0, 1);
            this.throttler = throttler;
        }

        void begin() {
            known = false;
        }

        @Override
        public boolean isThrottled() {
            if (!known) {
                known = true;
                throttled = throttler.isThrottled();
            }
            return throttled;
        }

        /** Allows one transaction in a call. Later calls begin the others, each at its time. */
        @Override
        public void markEvent() {
            throttler.markEvent();
            known = true;
            throttled = true;
        }
    }
}
