package io.updraft.timeseries.expression;

import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.CCJSqlParserTokenManager;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.SimpleCharStream;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.Token;
import net.sf.jsqlparser.parser.TokenMgrException;

/** Calls the SQL parser, and says where it stumbles. */
final class SqlParser {

    private SqlParser() {}

    /**
     * Parses a piece.
     *
     * @param text the whole text, for messages
     */
    static net.sf.jsqlparser.expression.Expression parse(String text, SqlPieces.Piece piece) {
        Tokens tokens = new Tokens(piece.sql());
        try {
            CCJSqlParser parser = new CCJSqlParser(tokens).withAllowComplexParsing(false);
            net.sf.jsqlparser.expression.Expression sql = parser.Expression();
            Token after = parser.getNextToken();
            if (after.kind != CCJSqlParserConstants.EOF) {
                // An operator is read only with what follows it.
                boolean isOperand =
                        Character.isLetterOrDigit(after.image.charAt(0)) || "'\"".indexOf(after.image.charAt(0)) >= 0;
                throw unexpected(text, piece, isOperand ? after : tokens.furthest);
            }
            return sql;
        } catch (ParseException | TokenMgrException e) {
            throw unexpected(text, piece, tokens.furthest);
        } catch (StackOverflowError e) {
            throw new ExpressionException(text, 0, "nested too deep");
        }
    }

    private static ExpressionException unexpected(String text, SqlPieces.Piece piece, Token token) {
        boolean ends = token.kind == CCJSqlParserConstants.EOF;
        int place = ends ? piece.place(piece.sql().length()) : piece.place(token.absoluteBegin);
        String shown = ends || SqlPieces.isName(token.image) ? "" : token.image;
        return new ExpressionException(
                text,
                place,
                ends
                        ? "expected a value but it ends"
                        : shown.isEmpty()
                                ? "expected an operator before this"
                                : "'" + shown + "' is not expected here");
    }

    /** Remembers the last token that the parser has asked for: what it stumbles over. */
    private static final class Tokens extends CCJSqlParserTokenManager {

        private Token furthest = new Token();

        Tokens(String sql) {
            super(new SimpleCharStream(new StringProvider(sql)));
            furthest.image = "";
        }

        @Override
        public Token getNextToken() {
            furthest = super.getNextToken();
            return furthest;
        }
    }
}
