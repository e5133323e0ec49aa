/**
 * The generated list of channels, which a preload and a page can read without the schemas and therefore without zod.
 */
import type { Channel } from '#contract/ipc/channel.ts'
import { channels } from '#contract/ipc/ipc.ts'

const listed = (name: string, of: readonly string[]): string =>
  `export const ${name} = [\n${of.map((each) => `  '${each}'`).join(',\n')}\n] as const\n`

/** The text of contract/ipc/channel-names.ts. */
export function channelNamesFile(): string {
  const all = Object.entries<Channel>(channels)
  const takenLate = all.filter(([, { late }]) => late === 'take')
  return `/** Generated from the channels of contract/ by \`npm run reference\`. No imports: the sandboxed preload is built from it. */

/** Every request that a window may send to core. */
${listed(
  'channelNames',
  all.map(([name]) => name)
)}
/** Channels whose answers may arrive after personal data was removed. */
${listed(
  'takenLate',
  takenLate.map(([name]) => name)
)}`
}
