/**
 * Builds what a window gets to see of the core: one named method for each channel, and `onEvent`.
 *
 * Self-contained on purpose, with no import and nothing from outside its own text: the Electron host
 * bundles it into the preload, the preview host sends its source into the page.
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
