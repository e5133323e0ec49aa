/** Names under which a host carries what goes between its window and the core. */

/** Where a host announces events to its window. */
export const eventChannel = 'veridesk.event'
/** Where a window's requests arrive. */
export const requestChannel = 'veridesk.request'
