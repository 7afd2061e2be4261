package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskDeadLetters;
import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.snapshot.DeadLetter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Carries out orders to replay dead letters, and reports the letters of this worker. */
final class LetterReports {
    private LetterReports() {}

    static DeadLetterReport answer(TopologyEngine engine, AskDeadLetters ask) {
        String refusal = null;
        List<Long> replayed = List.of();
        try {
            replayed = replayed(engine, ask);
        } catch (IllegalArgumentException | IllegalStateException e) {
            refusal = e.getMessage();
        }
        return new DeadLetterReport(ask.question(), newest(engine.deadLetters()), replayed, refusal);
    }

    static List<LetterRecord> newest(List<DeadLetter> letters) {
        return letters.subList(Math.max(0, letters.size() - LetterRecord.MOST), letters.size()).stream()
                .map(LetterRecord::of)
                .toList();
    }

    private static List<Long> replayed(TopologyEngine engine, AskDeadLetters ask) {
        if (ask.all()) {
            return engine.replayAll();
        }
        Set<Long> held = engine.deadLetters().stream().map(DeadLetter::number).collect(Collectors.toSet());
        List<Long> replayed = ask.replay().stream().filter(held::contains).toList();
        return replayed.isEmpty() ? List.of() : engine.replay(replayed);
    }
}
