/**
 * Names of everything that a window may ask of the core. Light on purpose: the sandboxed preload
 * builds one named method for each from this list and nothing else. Shapes: `ipc.ts`.
 */
export const channelNames = [
  'app.state',
  'app.copy',
  'settings.change',
  'settings.chooseCaFile',
  'keychain.tryAgain',
  'connections.list',
  'connections.save',
  'connections.remove',
  'connections.reach',
  'credentials.set',
  'credentials.clear',
  'practice.start',
  'verification.run',
  'verification.cancel',
  'history.page',
  'history.counts',
  'history.record',
  'history.settle',
  'history.tryAgain',
  'history.openForSitting',
  'history.setAside'
] as const
export type ChannelName = (typeof channelNames)[number]

/** Where a host announces events to its window. */
export const eventChannel = 'veridesk.event'
/** Where a window's requests arrive. */
export const requestChannel = 'veridesk.request'
