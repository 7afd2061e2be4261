/** How workers prove to each other that they belong to the same topology. */
package io.updraft.transport.security;
