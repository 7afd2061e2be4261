/**
 * A plain Storm program that counts the words of real text and ends with the exact result.
 *
 * <p>The program does not use Updraft's classes: {@link io.updraft.examples.wordcount.WordCount} submits its topology with
 * Storm's {@code StormSubmitter}, waits for the counters' parts, kills its topology and prints the result.
 *
 * <pre>
 *             line                    word
 *   lines ────shuffle────► split ────fields(word)────► count ───► part files ───► counts.txt
 *     └──────────────────────end, all─────────────────────┘
 * </pre>
 */
package io.updraft.examples.wordcount;
