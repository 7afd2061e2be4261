package io.updraft.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the script with which bash and zsh complete Updraft's command lines. */
@Command(
        name = "generate-completion",
        header = "Prints a script with which bash and zsh complete commands, options, and names of living runs.",
        description = {
            "",
            "For bash: source <(updraft generate-completion). For zsh: autoload -U +X bashcompinit && bashcompinit before it.",
            ""
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    /**
     * Reads the names from the directories of runs, since starting a JVM takes too long. A shell expands the words that it offers, so
     * names with other characters than these are left out.
     */
    private static final String LOOK_UP = """
            # Prints names of what runs: the argument is 'names', for topologies and pipelines, or 'components'.
            function _updraft_names() {
              local runs=${XDG_STATE_HOME:-$HOME/.local/state}/updraft/runs
              find "$runs" -mindepth 2 -maxdepth 2 -name "$1" 2>/dev/null | while IFS= read -r file; do
                local run=${file%/*}
                kill -0 "${run##*/}" 2>/dev/null && cat "$file" 2>/dev/null
              done | LC_ALL=C grep -xE '[A-Za-z0-9_.#-]+' | sort -u
            }

            """;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        // Without the quotes that picocli puts around a word, each line of the look-up is a word.
        String script =
                AutoComplete.bash(spec.root().name(), root).replaceAll("\"(\\$\\(_updraft_names \\w+\\))\"", "$1");
        int firstLine = script.indexOf('\n') + 1;
        PrintWriter out = spec.commandLine().getOut();
        out.print(script.substring(0, firstLine) + "\n" + LOOK_UP + script.substring(firstLine));
        out.flush();
        return 0;
    }
}
