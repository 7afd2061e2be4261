package io.updraft.testing.contract;

import io.updraft.engine.testing.TestBolt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;

/** Bolts, most of which break one rule each. */
@SuppressWarnings("serial")
final class FaultyBolts {
    private FaultyBolts() {}

    /** Breaks none: emits the upper case of each word. */
    static class Upper extends TestBolt {
        Upper() {
            super("word");
        }

        @Override
        public void execute(Tuple input) {
            if (!TupleUtils.isTick(input)) {
                word(input);
            }
        }

        void word(Tuple input) {
            out.emit(input, new Values(input.getString(0).toUpperCase(java.util.Locale.ROOT)));
            out.ack(input);
        }
    }

    static final class BlindToTicks extends Upper {
        @Override
        public void execute(Tuple input) {
            word(input);
        }
    }

    static final class Forgetful extends Upper {
        @Override
        void word(Tuple input) {
            if (!input.getString(0).isEmpty()) {
                super.word(input);
            }
        }
    }

    static final class AckingTwice extends Upper {
        @Override
        void word(Tuple input) {
            super.word(input);
            out.ack(input);
        }
    }

    static final class AckingFirst extends Upper {
        @Override
        void word(Tuple input) {
            out.ack(input);
            out.emit(input, new Values("late"));
        }
    }

    static final class Undeclared extends Upper {
        @Override
        void word(Tuple input) {
            out.emit("side", input, new Values("x"));
            out.emit(input, new Values("x", "y"));
            out.ack(input);
        }
    }

    static final class Changing extends Upper {
        private final List<Object> shared = new ArrayList<>(List.of("none"));

        @Override
        void word(Tuple input) {
            shared.set(0, input.getValue(0));
            out.emit(input, shared);
            out.ack(input);
        }
    }

    static final class ChangingInput extends Upper {
        @Override
        void word(Tuple input) {
            input.getValues().set(0, "changed");
            out.ack(input);
        }
    }

    /** A value that says nothing of itself to serialization. */
    static final class Secret {
        private final Thread thread = Thread.currentThread();

        Thread thread() {
            return thread;
        }
    }

    static final class Unserializable extends Upper {
        @Override
        void word(Tuple input) {
            out.emit(input, new Values(new Secret()));
            out.ack(input);
        }
    }

    static final class NotSerializable extends Upper {
        private final Secret secret = new Secret();

        Secret secret() {
            return secret;
        }
    }

    static final class Stuck extends Upper {
        @Override
        void word(Tuple input) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class ClosingTwice extends Upper {
        @Override
        public void cleanup() {
            out.hashCode();
            out = null;
        }
    }

    static final class Threading extends Upper {
        static final CountDownLatch END = new CountDownLatch(1);

        @Override
        protected void prepared() {
            Thread thread = new Thread(
                    () -> {
                        try {
                            END.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "left behind");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Keeps two words and emits them together, or what there is at a tick. */
    static final class Batching extends Upper {
        private transient List<Tuple> batch;

        @Override
        protected void prepared() {
            batch = new ArrayList<>();
        }

        @Override
        public void execute(Tuple input) {
            if (!TupleUtils.isTick(input)) {
                batch.add(input);
            }
            if (batch.size() == 2 || TupleUtils.isTick(input)) {
                batch.forEach(super::word);
                batch.clear();
            }
        }
    }
}
