/** Serves specimen images by GET, as targets for document links. They show no real person. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendMessage } from './exchange.ts'

/** The specimens by name. `changing.png` returns a different image on each call, like a document that was replaced. */
const sampleNames = ['portrait.png', 'id-card.png', 'id-card-back.png', 'passport.png'] as const
const changing = 'changing.png'

/** Finds the images next to the sources or, in a bundle, in a folder below the application's root. */
function findFolder(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < 5; level++) {
    for (const candidate of [join(folder, 'samples'), join(folder, 'practice', 'samples')])
      if (existsSync(join(candidate, sampleNames[0]))) return candidate
    folder = dirname(folder)
  }
  return undefined
}

/** Answers GET and HEAD below `/samples/`; the last segment names the image, so `/samples/trigger/fail/passport.png` works. */
export function sampleServer(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const folder = findFolder()
  const loaded = new Map<string, Promise<Buffer>>()
  let turn = 0
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendMessage(response, 405, 'Method not allowed: samples are read with GET.', { Allow: 'GET, HEAD' })
      return
    }
    const asked = (request.url ?? '').split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
    const name = asked === changing ? sampleNames[turn++ % 2] : sampleNames.find((known) => known === asked)
    if (!folder || !name) {
      sendMessage(response, 404, `No such sample. There are ${[...sampleNames, changing].join(', ')}.`)
      return
    }
    const file = loaded.get(name) ?? readFile(join(folder, name))
    loaded.set(name, file)
    const image = await file
    response.writeHead(200, {
      'Content-Type': 'image/png',
      'Content-Length': image.length,
      'Cache-Control': 'no-store'
    })
    response.end(request.method === 'HEAD' ? undefined : image)
  }
}
