/** What several answers show: texts, links, resources, workers, errors and counts. For {@code io.updraft.rest} only. */
package io.updraft.rest.view;
