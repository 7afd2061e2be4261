/** JSON of maps and records. */
package io.updraft.base.json;
