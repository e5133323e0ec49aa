/** Reads secrets for the command line: from a prompt without echo, or from standard input; never from argv. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { credentials, type CredentialId } from '#contract/connections/credentials.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { credentialsInLines } from '#core/secrets/credential-lines.ts'

export type CredentialInput = Readonly<Partial<Record<CredentialId, string>>>

/** Reads lines `header: value`. The line that is none is not repeated: it may contain a secret. */
export function parseCredentialLines(text: string): Result<CredentialInput, string> {
  const values = credentialsInLines(text)
  return values
    ? ok(values)
    : fail(`Standard input must hold lines such as “${credentials[0].header}: value”, one per header.`)
}

/** What follows the first line, once that was taken. */
let rest: string | undefined

/** The first line of standard input; what follows is for `readStandardInput`. */
export async function readFirstLine(): Promise<string> {
  const text = await readStandardInput()
  const end = text.indexOf('\n')
  rest = end < 0 ? '' : text.slice(end + 1)
  return (end < 0 ? text : text.slice(0, end)).replace(/\r$/, '')
}

/** Standard input as text, up to 64 KiB, without a first line that was taken. */
export async function readStandardInput(): Promise<string> {
  if (rest !== undefined) return rest
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const piece of process.stdin) {
    text += String(piece)
    if (text.length > 65_536) break
  }
  return text
}

/** Asks questions on the terminal; answers are not shown. */
async function asking<T>(work: (ask: (question: string) => Promise<string>) => Promise<T>): Promise<T> {
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await work(async (question) => {
      process.stderr.write(`${question}, not shown while you type: `)
      const answer = await new Promise<string>((resolve) => terminal.question('', resolve))
      process.stderr.write('\n')
      return answer
    })
  } finally {
    terminal.close()
  }
}

/** Asks for one secret on the terminal without echo. */
export const askForSecret = (name: string): Promise<string> => asking((ask) => ask(name))

/** Asks for each credential on the terminal without echo. An empty answer skips it. */
export const askForCredentials = (): Promise<CredentialInput> =>
  asking(async (ask) => {
    const values: Partial<Record<CredentialId, string>> = {}
    for (const credential of credentials) {
      const answer = await ask(`${credential.label} (${credential.header})`)
      if (answer !== '') values[credential.id] = answer
    }
    return values
  })
