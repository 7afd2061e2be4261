package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.IMetricsContext;
import org.apache.storm.trident.state.State;
import org.apache.storm.trident.state.StateFactory;
import org.apache.storm.trident.state.TransactionalValue;
import org.apache.storm.trident.state.map.IBackingMap;
import org.apache.storm.trident.state.map.TransactionalMap;

/**
 * Keeps one partition of the counts of {@link TridentWordsTopology}, by word. Trident's own keys are views of tuples, which hash
 * slowly.
 */
final class CountsInMemory implements IBackingMap<TransactionalValue<Long>> {

    private final Map<Object, TransactionalValue<Long>> values = new HashMap<>();

    /** The same counts by word, for the check at the end. */
    private final Map<String, Integer> words = new HashMap<>();

    private CountsInMemory() {}

    @Override
    public List<TransactionalValue<Long>> multiGet(List<List<Object>> keys) {
        List<TransactionalValue<Long>> found = new ArrayList<>(keys.size());
        keys.forEach(key -> found.add(values.get(key.get(0))));
        return found;
    }

    @Override
    public void multiPut(List<List<Object>> keys, List<TransactionalValue<Long>> all) {
        for (int i = 0; i < keys.size(); i++) {
            TransactionalValue<Long> value = all.get(i);
            String word = (String) keys.get(i).get(0);
            values.put(word, value);
            words.put(word, value.getVal().intValue());
        }
    }

    /** Creates the partitions of one run. */
    record Factory(String runId) implements StateFactory {

        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public State makeState(Map<String, Object> conf, IMetricsContext metrics, int partition, int partitions) {
            CountsInMemory counts = new CountsInMemory();
            BenchRunState.of(runId).words(counts.words);
            return TransactionalMap.build((IBackingMap) counts);
        }
    }
}
