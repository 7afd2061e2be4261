package io.updraft.base.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a record that is a record itself: {@link Json} writes its components as members of the outer object. Null
 * adds no members. Of two members with one name the later component's stays. Such a record is written only, not read back.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Inlined {}
