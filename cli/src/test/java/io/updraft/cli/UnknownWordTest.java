package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownWordTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run --veiw plain x.jar | updraft run: there is no option '--veiw', did you mean '--view'? ('updraft help run')
            run --veiw=plain x.jar | updraft run: there is no option '--veiw', did you mean '--view'? ('updraft help run')
            kill --wiat=3s | updraft kill: there is no option '--wiat', did you mean '--wait'? ('updraft help kill')
            stack --jsn | updraft stack: there is no option '--jsn', did you mean '--json'? ('updraft help stack')
            stack --al | updraft stack: there is no option '--al', did you mean '--all'? ('updraft help stack')
            aggregate --group-yb k | updraft aggregate: there is no option '--group-yb', did you mean '--group-by'? ('updraft help aggregate')
            --vresion | updraft: there is no option '--vresion', did you mean '--version'?
            kil numbers | updraft: there is no command 'kil', did you mean 'kill'?; 'updraft --help' lists them
            proflie --for 3s | updraft: there is no command 'proflie', did you mean 'profile'?; 'updraft --help' lists them
            """)
    void shouldNameASimilarWord(String command, String line) {
        shouldRefuse(command, line);
    }

    @Test
    void shouldNameNoWordWithoutASimilarOne() {
        shouldRefuse("stack --zebra", "updraft stack: there is no option '--zebra' ('updraft help stack')");
        shouldRefuse("stack -x", "updraft stack: there is no option '-x' ('updraft help stack')");
        shouldRefuse("zebra", "updraft: there is no command 'zebra'; 'updraft --help' lists them");
    }

    @Test
    void shouldNotTakeAnArgumentOfACommandForACommand() {
        shouldRefuse("ps numbers", "updraft ps: unexpected argument 'numbers' ('updraft help ps')");
    }

    private static void shouldRefuse(String command, String line) {
        InProcessCommand refused = InProcessCommand.run(command.split(" "));
        assertThat(refused.err()).containsExactly(line);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.exitCode()).isEqualTo(2);
    }
}
