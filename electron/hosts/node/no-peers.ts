/**
 * Takes WebRTC from a page: it sends to any address, past the page's policy, the filter of requests and a proxy that leads
 * nowhere, and the window needs none of it. The contents' own rule (`main/guards.ts`) stops what a frame could still make.
 *
 * Self-contained, without imports or outside references: both hosts run its source in the page before any other script.
 */
export function takePeers(): void {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (/^(?:webkit)?RTC/.test(name)) delete (globalThis as Record<string, unknown>)[name]
}
