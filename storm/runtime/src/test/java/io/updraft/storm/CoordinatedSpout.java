package io.updraft.storm;

import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.ITridentSpout;
import org.apache.storm.trident.topology.TransactionAttempt;
import org.apache.storm.tuple.Values;

/** Its coordinator says what is in a batch; its emitters share that. */
@SuppressWarnings("serial")
final class CoordinatedSpout extends TridentSpoutsTest.Elements implements ITridentSpout<String> {
    @Override
    public BatchCoordinator<String> getCoordinator(
            String txStateId, Map<String, Object> conf, TopologyContext context) {
        return new BatchCoordinator<>() {
            @Override
            public String initializeTransaction(long txid, String before, String now) {
                if (now != null) {
                    return now;
                }
                int from = before == null ? 0 : Integer.parseInt(before.split("-")[1]);
                return from + "-" + Math.min(TridentSpoutsTest.END, from + 7);
            }

            @Override
            public void success(long txid) {
                TridentSpoutsTest.SUCCEEDED.add(txid);
            }

            @Override
            public boolean isReady(long txid) {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Emitter<String> getEmitter(String txStateId, Map<String, Object> conf, TopologyContext context) {
        int tasks = context.getComponentTasks(context.getThisComponentId()).size();
        int own = context.getThisTaskIndex();
        return new Emitter<>() {
            @Override
            public void emitBatch(TransactionAttempt tx, String range, TridentCollector collector) {
                String[] fromTo = range.split("-");
                int from = Integer.parseInt(fromTo[0]);
                int to = Integer.parseInt(fromTo[1]);
                if (from == TridentSpoutsTest.END) {
                    TridentSpoutsTest.EXHAUSTED.putIfAbsent("0", tx.getTransactionId());
                }
                IntStream.range(from, to)
                        .filter(each -> each % tasks == own)
                        .forEach(each -> collector.emit(new Values("0:" + each)));
            }

            @Override
            public void success(TransactionAttempt tx) {}

            @Override
            public void close() {}
        };
    }
}
