/**
 * A service built by an established library from the OpenAPI description alone. It does not use the console's
 * operations, its practice service or its types: what it accepts, the interface allows.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OpenAPIBackend, type Context, type Document, type Request } from 'openapi-backend'
import description from '../fixtures/openapi/ekyc.json' with { type: 'json' }

/** What the mock found in a request, for the tests. */
interface Verdict {
  readonly status: number
  readonly operation?: string
  readonly message: string
}

export interface IndependentMock {
  readonly baseUrl: string
  readonly verdicts: readonly Verdict[]
  close(): Promise<void>
}

async function wholeBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const schemes = description.components.securitySchemes

/** An apiKey scheme is satisfied by its header; the values are checked by the caller. */
function schemeMet(name: keyof typeof schemes) {
  return ({ request }: Context): boolean => {
    const value = request.headers[schemes[name].name.toLowerCase()]
    return typeof value === 'string' && value !== ''
  }
}

async function backend(): Promise<OpenAPIBackend> {
  const operationIds = Object.values(description.paths).map(({ post }) => post.operationId)
  const api = new OpenAPIBackend({
    definition: structuredClone(description) as unknown as Document,
    strict: true,
    ignoreTrailingSlashes: false,
    ajvOpts: { allErrors: true },
    securityHandlers: Object.fromEntries(
      (Object.keys(schemes) as (keyof typeof schemes)[]).map((name) => [name, schemeMet(name)])
    ),
    handlers: {
      ...Object.fromEntries(
        operationIds.map((id) => [
          id,
          (): Verdict => ({ status: 200, operation: id, message: 'The independent mock accepted the request.' })
        ])
      ),
      notFound: (): Verdict => ({ status: 404, message: 'The description has no such path.' }),
      methodNotAllowed: (): Verdict => ({ status: 405, message: 'The description has no such method.' }),
      unauthorizedHandler: (): Verdict => ({ status: 401, message: 'A security requirement is not met.' }),
      validationFail: ({ validation }: Context): Verdict => ({
        status: 400,
        message: JSON.stringify(validation.errors)
      })
    }
  })
  return await api.init()
}

/** Whether the description has this content type for the path; the library leaves this to its host. */
function typeOffered(path: string, contentType: string | undefined): boolean {
  const described = Object.entries(description.paths).find(([known]) => known === path)?.[1]
  return (
    !described || Object.keys(described.post.requestBody.content).includes((contentType ?? '').split(';', 1)[0] ?? '')
  )
}

/** Starts the mock on any free port of 127.0.0.1. */
export async function startIndependentMock(): Promise<IndependentMock> {
  const api = await backend()
  const verdicts: Verdict[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const [path = '', query = ''] = (incoming.url ?? '').split('?')
      const body = await wholeBody(incoming)
      const headers = incoming.headers as Request['headers']
      const verdict: Verdict = typeOffered(path, incoming.headers['content-type'])
        ? ((await api.handleRequest({ method: incoming.method ?? '', path, query, headers, body })) as Verdict)
        : { status: 415, message: 'The description offers no such content type.' }
      verdicts.push(verdict)
      response
        .writeHead(verdict.status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ message: verdict.message }))
    })().catch((reason: unknown) => response.writeHead(500).end(String(reason)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    verdicts,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
