package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaChunk;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Translates a record to the values of a tuple. Called by the spout's thread. */
public interface RecordTranslator extends Serializable {

    /** {@return the names of the values} */
    Fields fields();

    /**
     * Translates one record.
     *
     * @return the values; null to skip the record, which counts as done
     */
    List<Object> translate(KafkaChunk chunk, int record);

    /** {@return topic, partition, offset, timestamp, key and value, the last two as byte arrays or null} */
    static RecordTranslator bytes() {
        return new Whole(false);
    }

    /** {@return topic, partition, offset, timestamp, key and value, the last two as strings (UTF-8) or null} */
    static RecordTranslator text() {
        return new Whole(true);
    }

    /** {@return the value alone, as a byte array} */
    static RecordTranslator value() {
        return new ValueOnly();
    }

    /** Emits every part of a record. */
    final class Whole implements RecordTranslator {

        private static final long serialVersionUID = 1L;

        private final boolean text;

        Whole(boolean text) {
            this.text = text;
        }

        @Override
        public Fields fields() {
            return new Fields("topic", "partition", "offset", "timestamp", "key", "value");
        }

        @Override
        public List<Object> translate(KafkaChunk chunk, int record) {
            byte[] key = chunk.key(record);
            return new Values(
                    chunk.topicPartition().topic(),
                    chunk.topicPartition().partition(),
                    chunk.positions()[record],
                    chunk.times()[record],
                    text && key != null ? new String(key, StandardCharsets.UTF_8) : key,
                    text ? chunk.text(record) : chunk.value(record));
        }
    }

    /** Emits the value only. */
    final class ValueOnly implements RecordTranslator {

        private static final long serialVersionUID = 1L;

        private ValueOnly() {}

        @Override
        public Fields fields() {
            return new Fields("value");
        }

        @Override
        public List<Object> translate(KafkaChunk chunk, int record) {
            return new Values((Object) chunk.value(record));
        }
    }
}
