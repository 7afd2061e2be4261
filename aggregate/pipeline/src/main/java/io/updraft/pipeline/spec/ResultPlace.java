package io.updraft.pipeline.spec;

import java.util.List;
import java.util.Locale;

/**
 * Where results go, as a command names it in one word: a file, or a form on standard output.
 *
 * @param sink the kind of the sink; the ending of the file's name if no sink has it, so that the reader of sinks reports it
 * @param value the path of the file, or the form
 */
public record ResultPlace(String sink, String value) {

    /** Returns the place that a word means: {@code table}, {@code csv}, {@code tsv}, {@code json}, or the path of a file. */
    public static ResultPlace of(String word) {
        String name = word.toLowerCase(Locale.ROOT);
        if (List.of("table", "csv", "tsv", "json").contains(name)) {
            return new ResultPlace("stdout", name);
        }
        String ending = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
        boolean isJson = ending.equals("jsonl") || ending.equals("ndjson");
        return new ResultPlace(isJson ? "json" : ending, word);
    }
}
