/** Has no classes: this module makes the archive and the container image, and its tests install them. */
package io.updraft.dist;
