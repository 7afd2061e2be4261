package io.updraft.observe.heap;

/**
 * The heap that one field of a component's instance holds, as an estimate.
 *
 * @param name the field; {@code static} is put before the name of a static one
 * @param type the class of the field's value
 * @param bytes the estimated size of all that the field alone leads to
 * @param exact whether everything was visited; else the size is estimated from samples, or a lower bound
 * @param largest the largest collection or array in it, for example {@code a java.util.HashMap of 31 M entries}; null for none
 */
public record HeldField(String name, String type, long bytes, boolean exact, String largest) {}
