/**
 * Builds the interface to core that a window gets: one named method per channel, and `onEvent`.
 *
 * Self-contained on purpose, without imports or outside references: the Electron host bundles it into the preload,
 * and the preview host sends its source to the page.
 */
export function buildBridge(
  names: readonly string[],
  request: (name: string, input: unknown) => Promise<unknown>,
  subscribe: (listener: (event: unknown) => void) => () => void
): Record<string, unknown> {
  const bridge: Record<string, unknown> = {}
  for (const name of names) bridge[name] = (input?: unknown) => request(name, input)
  bridge['onEvent'] = (listener: unknown) => {
    if (typeof listener !== 'function') throw new TypeError('onEvent takes a function')
    return subscribe((event) => listener(event))
  }
  return Object.freeze(bridge)
}
