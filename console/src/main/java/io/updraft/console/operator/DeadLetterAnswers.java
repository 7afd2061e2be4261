package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers requests about the dead letters of one topology. Letters that the engine keeps have numbers and can be replayed. If it
 * keeps none, the newest letters of the file are shown, which may be of earlier runs.
 */
record DeadLetterAnswers(String topology, TopologyEngine engine) {

    /** The newest letters, with what became of their replays. */
    JsonObject newest(long counted, int most) throws IOException {
        String file = (String) engine.plan().conf().get(EngineSettings.DEAD_LETTER_FILE);
        List<DeadLetter> kept = engine.deadLetters();
        List<Object> letters;
        if (!kept.isEmpty()) {
            letters = List.copyOf(
                    last(kept, most).stream().map(DeadLetterAnswers::described).toList());
        } else {
            letters = file == null ? List.of() : DeadLetterTail.read(Path.of(file), most);
        }
        JsonObject answer = answer("has given up " + counted + " messages; " + shown(kept, letters, file));
        answer.put("counted", counted);
        answer.put("file", file == null ? null : Path.of(file).toAbsolutePath().toString());
        answer.put("letters", letters);
        return answer;
    }

    private static <T> List<T> last(List<T> all, int most) {
        return all.subList(Math.max(0, all.size() - Math.max(0, most)), all.size());
    }

    private static JsonObject described(DeadLetter letter) {
        return JsonObject.of("number", letter.number())
                .with(letter.message())
                .with("reason", letter.reason())
                .with("replay", letter.replay().toString());
    }

    private static String shown(List<DeadLetter> kept, List<Object> letters, String file) {
        if (!kept.isEmpty()) {
            Map<Replay, Long> counts =
                    kept.stream().collect(Collectors.groupingBy(DeadLetter::replay, Collectors.counting()));
            long possible = counts.getOrDefault(Replay.POSSIBLE, 0L) + counts.getOrDefault(Replay.FAILED_AGAIN, 0L);
            long impossible = kept.stream()
                    .filter(letter -> letter.replay().isImpossible())
                    .count();
            return "the newest " + letters.size() + " are shown; of the newest " + kept.size() + ", " + possible
                    + " can be replayed (--replay N or all), "
                    + (counts.getOrDefault(Replay.WAITING, 0L) + counts.getOrDefault(Replay.IN_FLIGHT, 0L))
                    + " are being replayed, " + counts.getOrDefault(Replay.COMPLETED, 0L) + " have completed"
                    + (impossible == 0 ? "" : ", " + impossible + " cannot be replayed");
        }
        return file == null
                ? "to keep them, start it with -c " + EngineSettings.DEAD_LETTER_FILE + "=FILE"
                : "the newest " + letters.size() + " in " + file + " are shown";
    }

    /** Orders the replay of {@code letters}, a list of numbers, or of {@code all}. */
    JsonObject replay(JsonObject request) {
        try {
            List<Long> replayed = Boolean.TRUE.equals(request.get("all"))
                    ? engine.replayAll()
                    : engine.replay(numbers(request.get("letters")));
            JsonObject answer = answer("replays " + replayed.size()
                    + (replayed.size() == 1 ? " dead letter" : " dead letters")
                    + "; 'updraft dead-letters' shows the results");
            answer.put("replayed", replayed);
            return answer;
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static List<Long> numbers(Object letters) {
        if (!(letters instanceof Collection<?> all)
                || all.isEmpty()
                || !all.stream().allMatch(each -> each instanceof Long || each instanceof Integer)) {
            throw new IllegalArgumentException("the request names neither 'all' nor 'letters', a list of numbers");
        }
        return all.stream().map(each -> ((Number) each).longValue()).toList();
    }

    private JsonObject answer(String predicate) {
        return JsonObject.of("topology", topology).with("message", "topology '" + topology + "' " + predicate);
    }
}
