/** `npm run practice`: runs the practice service on its own until Ctrl+C. */
import { parseArgs } from 'node:util'
import { credentials } from '#contract/connections/credentials.ts'
import { detailsOperation, operationOf } from '#contract/verification/operations.ts'
import { startPracticeService } from './service.ts'

const usage = `Usage: npm run practice -- [--port N] [--latency MS] [--ledger FILE]

  --port N        port on 127.0.0.1 (default 4010; 0 takes any free one)
  --latency MS    milliseconds before each answer, or a range such as 50-400
  --ledger FILE   append one JSON line for each request received
`

function wholeNumber(text: string, most: number): number | undefined {
  return /^\d{1,7}$/.test(text) && Number(text) <= most ? Number(text) : undefined
}

function latencyOf(text: string): number | { min: number; max: number } | undefined {
  const [min, max, ...rest] = text.split('-').map((part) => wholeNumber(part, 3_600_000))
  if (min === undefined || rest.length > 0 || (text.includes('-') && (max === undefined || max < min))) return undefined
  return max === undefined ? min : { min, max }
}

function stopWith(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`)
  process.exit(2)
}

function optionsOf() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '4010' },
        latency: { type: 'string', default: '0' },
        ledger: { type: 'string' },
        help: { type: 'boolean', short: 'h' }
      }
    }).values
  } catch (reason) {
    return stopWith(reason instanceof Error ? reason.message : String(reason))
  }
}

const given = optionsOf()
if (given.help) {
  process.stdout.write(usage)
  process.exit(0)
}
const port = wholeNumber(given.port, 65_535) ?? stopWith('--port takes a number from 0 to 65535.')
const latency = latencyOf(given.latency) ?? stopWith('--latency takes milliseconds, or a range such as 50-400.')

try {
  const service = await startPracticeService({
    port,
    latency,
    ...(given.ledger !== undefined && { ledger: given.ledger })
  })
  const first = operationOf(detailsOperation)
  process.stdout.write(
    [
      `Practice service at ${service.baseUrl}`,
      '',
      'Add a connection to this address with these values (they are worth nothing elsewhere):',
      ...credentials.map(({ id, header }) => `  ${`${header}:`.padEnd(16)} ${service.credentials[id]}`),
      '',
      `Any applicant ID passes; PRACTICE-429, PRACTICE-slow-3 and many more do not: see docs/practice.md.`,
      `In a URL the same goes by path: ${service.baseUrl}/samples/trigger/fail/passport.png`,
      `First check: ${first.title}, with any ${first.fields[0]?.label}.`,
      'Press Ctrl+C to stop.',
      ''
    ].join('\n')
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void service.close().then(() => process.exit(0)))
} catch (reason) {
  const { code } = reason as NodeJS.ErrnoException
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `Port ${port} is in use. Nothing was started. Choose another with --port, or --port 0 for any free one.\n`
      : `The practice service could not be started: ${reason instanceof Error ? reason.message : String(reason)}\n`
  )
  process.exit(1)
}
