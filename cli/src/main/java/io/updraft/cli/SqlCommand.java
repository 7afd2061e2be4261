package io.updraft.cli;

import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.pipeline.sql.SqlQuery;
import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.storm.yaml.YamlNode;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "sql",
        header = "Aggregates records as a SQL query says, from files, Kafka or HTTP.",
        description = {
            "",
            "SELECT with GROUP BY over one table: a file in quotes, or a source that a YAML file describes. TUMBLE and HOP"
                    + " give windows of time. Functions and NULL are those of DuckDB (docs/sql.md). --explain prints the"
                    + " pipeline in YAML.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  updraft sql \"SELECT origin, avg(dep_delay) FROM 'flights.csv.gz' GROUP BY origin\"",
            "  updraft sql -f query.sql --sources sources.yaml --to out.csv",
            "",
            "Exit codes: 0 success (also after one Ctrl-C), 1 the query failed, 2 bad input, 130 second Ctrl-C."
        })
final class SqlCommand extends PipelineCommand {

    @Parameters(index = "0", arity = "0..1", paramLabel = "QUERY", description = "The query.")
    private String query;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the query from a file.")
    private Path file;

    @Option(
            names = "--sources",
            paramLabel = "FILE",
            description =
                    "YAML with the sources that the query names, each with the keys of a pipeline: source, format,"
                            + " flatten, time.")
    private Path sources;

    @Mixin
    private ResultsOption results = new ResultsOption();

    @Spec
    void describe(CommandSpec command) {
        spec = command;
    }

    @Override
    PipelineSpec read() throws SpecException {
        if (query == null == (file == null)) {
            throw invalid(
                    query == null
                            ? "no query given: write it in quotes, or name its file with -f"
                            : "give a query either in quotes or with -f, not both");
        }
        String text = file == null ? query : SpecReader.text(file);
        String name = file == null ? "query" : file.getFileName().toString().replaceAll("\\.sql$", "");
        YamlNode described = sources == null ? null : SpecReader.nodes(sources);
        return SqlQuery.read(new SpecReader(System.getenv()), described(), text, name, described, results.places());
    }

    @Override
    String described() {
        return file == null ? "query" : file.toString();
    }

    @Override
    String text(Mistake mistake) {
        return mistake.toString();
    }
}
