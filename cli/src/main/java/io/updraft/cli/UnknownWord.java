package io.updraft.cli;

import io.updraft.base.text.Spelling;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line which word of a command line is unknown, and which similar one there is. */
final class UnknownWord {
    /** Short options differ by one letter from each other: any of them would be similar. */
    private static final int SHORTEST_OPTION = 4;

    private UnknownWord() {}

    static String describe(UnmatchedArgumentException error) {
        CommandLine command = error.getCommandLine();
        String word = error.getUnmatched().get(0);
        if (error.isUnknownOption()) {
            String option = word.split("=", 2)[0];
            return "there is no option '" + option + "'" + near(option, longOptions(command));
        }
        List<String> commands = command.getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(each -> each.getKey())
                .toList();
        return commands.isEmpty()
                ? "unexpected argument '" + word + "'"
                : "there is no command '" + word + "'" + near(word, commands) + "; 'updraft --help' lists them";
    }

    private static List<String> longOptions(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::names)
                .flatMap(Stream::of)
                .filter(name -> name.length() >= SHORTEST_OPTION)
                .toList();
    }

    private static String near(String word, Collection<String> words) {
        return word.length() < SHORTEST_OPTION && word.startsWith("-")
                ? ""
                : Spelling.near(word, words)
                        .map(best -> ", did you mean '" + best + "'?")
                        .orElse("");
    }
}
