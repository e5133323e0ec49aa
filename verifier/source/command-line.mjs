/** The verifier at the command line. */
import { fromUtf8 } from './bytes.mjs'
import { eventLines, eventsInWords } from './event-words.mjs'
import { verifyFile } from './verification.mjs'
import { summary, verdict } from './words.mjs'
import { isZip } from './zip.mjs'

const usage = `node verify.mjs FILE [FINGERPRINT OF THE SIGNER’S KEY]
  [--ca FILE]...           certificates of an authority that vouches for the signer
  [--tsa-ca FILE]...       certificates of an authority for time-stamps
  [--revocation FILE]...   revocations of keys, and
  [--may-revoke FINGERPRINT]... keys that may revoke other keys
  [--trust FILE]           the trust file of the company: it alone says then whose key signs packs
  [--attachment FILE]...   files that belong to the pack
  [--compare FILE]...      other packs, or exports of the audit trail (JSON lines), which must not contradict it
  [--events]               prints the events as text`

const many = { type: 'string', multiple: true }
const options = {
  'ca': many,
  'tsa-ca': many,
  'revocation': many,
  'may-revoke': many,
  'trust': { type: 'string' },
  'attachment': many,
  'compare': many,
  'events': { type: 'boolean' }
}

/** A file that cannot be read. */
class Unreadable extends Error {}

/** No pack of a console is larger. */
const mostBytes = 256 * 1024 * 1024

/** The bytes of a file. A pipe or a device might have no end. */
async function bytesOf(path) {
  const { readFile, stat } = await import('node:fs/promises')
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new Unreadable(`${path} cannot be read: it is not a file.`)
    if (found.size > mostBytes) throw new Unreadable(`${path} cannot be read: it is too large.`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw error instanceof Unreadable
      ? error
      : new Unreadable(`${path} cannot be read: ${error.code}.`, { cause: error })
  }
}

/** A file whose parts are read one by one: a ZIP file with documents may be larger than a pack. */
async function withFile(path, work) {
  const { open, stat } = await import('node:fs/promises')
  let handle
  try {
    if (!(await stat(path)).isFile()) throw new Unreadable(`${path} cannot be read: it is not a file.`)
    handle = await open(path)
    const { size } = await handle.stat()
    const read = async (offset, length) => {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, (await handle.read(bytes, 0, length, offset)).bytesRead)
    }
    if (size > mostBytes && !isZip(await read(0, 2))) throw new Unreadable(`${path} cannot be read: it is too large.`)
    return await work({ size, read })
  } catch (error) {
    throw error.syscall === undefined
      ? error
      : new Unreadable(`${path} cannot be read: ${error.code}.`, { cause: error })
  } finally {
    await handle?.close()
  }
}

/** Reads the files that the options name. */
async function readOptions(values) {
  const { basename } = await import('node:path')
  const all = (paths, read = bytesOf) => Promise.all((paths ?? []).map(read))
  const written = async (path) => {
    const text = fromUtf8(await bytesOf(path))
    if (text === undefined) throw new Unreadable(`${path} is not text.`)
    return text
  }
  return {
    trusted: values['may-revoke'],
    ...(values.trust !== undefined && { trust: [await written(values.trust)] }),
    authorities: await all(values.ca),
    timestampAuthorities: await all(values['tsa-ca']),
    revocations: await all(values.revocation, written),
    attachments: await all(values.attachment, async (path) => ({ name: basename(path), bytes: await bytesOf(path) })),
    others: await all(values.compare, written)
  }
}

const exitCodes = {
  'verified': 0,
  'intact': 3,
  'approval-missing': 4,
  'refused': 1,
  'other-file': 1,
  'not-verified': 2
}

async function main(words) {
  const { parseArgs } = await import('node:util')
  let given
  try {
    given = parseArgs({ args: words, options, allowPositionals: true })
  } catch {
    given = { positionals: [], values: {} }
  }
  const {
    positionals: [file, key, ...more],
    values
  } = given
  if (!file || more.length > 0) {
    console.error(usage)
    return 2
  }
  let result
  try {
    const given = await readOptions(values)
    result = await withFile(file, (source) => verifyFile(source, key, given))
  } catch (error) {
    // A file is missing, or a requirement of this program is not met: neither says anything about the pack.
    console.error(error instanceof Unreadable ? error.message : `NOT VERIFIED. ${error.message}`)
    return 2
  }
  const lines = result.pack ? [verdict(result), ...summary(result)] : [verdict(result)]
  if (!result.pack) {
    console.error(lines.join('\n'))
    return exitCodes[result.status]
  }
  console.log(lines.join('\n'))
  // One by one: a pack can be larger than the longest string.
  if (values.events) for (const event of eventsInWords(result)) console.log(eventLines(event).join('\n'))
  return exitCodes[result.status]
}

if (typeof process === 'object' && process.argv?.[1] && import.meta.url.startsWith('file:')) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  if (realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url)))
    process.exitCode = await main(process.argv.slice(2))
}
