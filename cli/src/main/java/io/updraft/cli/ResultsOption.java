package io.updraft.cli;

import io.updraft.pipeline.spec.ResultPlace;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says where results go. */
final class ResultsOption {

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "Write results to a file (.csv, .json, .parquet), or to standard output as table, csv, tsv or"
                    + " json. Repeatable. Default: table.")
    private List<String> to = new ArrayList<>();

    /** Returns the places in the order in which they are named; empty for the default. */
    List<ResultPlace> places() {
        return to.stream().map(ResultPlace::of).toList();
    }
}
