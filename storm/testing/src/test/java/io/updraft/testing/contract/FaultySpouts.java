package io.updraft.testing.contract;

import io.updraft.engine.testing.TestSpout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.tuple.Values;

/** Spouts, most of which break one rule each. */
@SuppressWarnings("serial")
final class FaultySpouts {
    private FaultySpouts() {}

    /** Breaks none: numbers, each emitted again until it is acked. */
    static class Numbers extends TestSpout {
        transient Deque<Integer> again;
        transient Map<Object, Integer> pending;
        int next;

        Numbers() {
            super("number");
        }

        @Override
        protected void opened() {
            again = new ArrayDeque<>();
            pending = new HashMap<>();
        }

        @Override
        public void nextTuple() {
            emit(again.isEmpty() ? next++ : again.remove());
        }

        void emit(int number) {
            pending.put(number, number);
            out.emit(new Values(number), number);
        }

        @Override
        public void ack(Object id) {
            pending.remove(id);
        }

        @Override
        public void fail(Object id) {
            if (pending.remove(id) != null) {
                again.add((Integer) id);
            }
        }
    }

    static final class Forgetful extends Numbers {
        @Override
        public void fail(Object id) {}
    }

    static final class Strict extends Numbers {
        @Override
        public void ack(Object id) {
            pending.remove(id).longValue();
        }
    }

    static final class SameId extends Numbers {
        @Override
        void emit(int number) {
            out.emit(new Values(number), "id");
        }
    }

    static final class Endless extends Numbers {
        @Override
        public void nextTuple() {
            while (true) {
                super.nextTuple();
            }
        }
    }

    static final class Restless extends Numbers {
        @Override
        protected void opened() {
            super.opened();
            nextTuple();
        }
    }
}
