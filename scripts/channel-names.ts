/** The generated list of channels: a preload and a page can read it without the schemas, and so without zod. */
import type { Channel } from '#contract/channels/channel.ts'
import { channels } from '#contract/ipc.ts'

const listed = (name: string, of: readonly string[]): string => `export const ${name} = [\n${of.map((each) => `  '${each}'`).join(',\n')}\n] as const\n`

/** The text of contract/channel-names.ts. */
export function channelNamesFile(): string {
  const all = Object.entries<Channel>(channels)
  const takenLate = all.filter(([, { late }]) => late === 'take')
  return `/** Generated from contract/channels/ by \`npm run reference\`. No imports: the sandboxed preload is built from it. */

/** Everything that a window may ask of the core. */
${listed('channelNames', all.map(([name]) => name))}
/** Channels whose answers may arrive after data of persons was removed. */
${listed('takenLate', takenLate.map(([name]) => name))}`
}
