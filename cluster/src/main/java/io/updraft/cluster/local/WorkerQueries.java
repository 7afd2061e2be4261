package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.cluster.local.ControlMessage.IdleReport;
import io.updraft.observe.process.WorkerStatus.State;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Sends one question at a time to all workers, and tracks which workers owe an answer. Owned by the coordinator's thread. */
final class WorkerQueries {
    private long last;
    private Set<Integer> awaited = new HashSet<>();
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

    /**
     * Asks the workers that run and owe no answer to an earlier question. {@return a future that completes when all asked workers
     * have answered or ended}
     */
    Future<Void> ask(List<WorkerSlot> slots, LongFunction<ControlMessage> question) {
        last++;
        awaited = new HashSet<>();
        answers = new CompletableFuture<>();
        for (WorkerSlot slot : slots) {
            if (slot.ask(last, question.apply(last))) {
                awaited.add(slot.worker);
            }
        }
        completeIfAnswered();
        return answers;
    }

    long last() {
        return last;
    }

    void onAnswer(WorkerSlot slot, long question) {
        slot.onAnswer(question);
        if (question == last) {
            onGone(slot);
        }
    }

    void onGone(WorkerSlot slot) {
        awaited.remove(slot.worker);
        completeIfAnswered();
    }

    private void completeIfAnswered() {
        if (awaited.isEmpty()) {
            answers.complete(null);
        }
    }

    static List<IdleReport> quiet(List<WorkerSlot> slots, long question) {
        boolean all = slots.stream()
                .allMatch(
                        slot -> slot.state == State.RUNNING && slot.quiet != null && slot.quiet.question() == question);
        return all ? slots.stream().map(slot -> slot.quiet).toList() : null;
    }

    /** {@return the answers to a question about dead letters, of the workers that have answered} */
    static List<DeadLetterReport> letters(List<WorkerSlot> slots, long question) {
        return slots.stream()
                .map(slot -> slot.letterReport)
                .filter(letters -> letters != null && letters.question() == question)
                .toList();
    }
}
