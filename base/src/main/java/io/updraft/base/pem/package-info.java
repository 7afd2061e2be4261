/** Certificates and keys in PEM files. */
package io.updraft.base.pem;
