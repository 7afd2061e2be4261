package com.extra;

/** Lies in a jar that is sent beside the program's. */
public final class Library {
    private Library() {}

    public static String name() {
        return "a library";
    }
}
