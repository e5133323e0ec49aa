/** Channel names that a host uses between its window and core. */

/** Events from the host to its window. */
export const eventChannel = 'veridesk.event'
/** Requests from a window. */
export const requestChannel = 'veridesk.request'
