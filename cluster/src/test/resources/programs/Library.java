package com.extra;

/** A class in a jar that is submitted with the program's. */
public final class Library {
    private Library() {}

    public static String name() {
        return "a library";
    }
}
