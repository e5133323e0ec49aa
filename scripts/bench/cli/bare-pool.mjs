/**
 * Sends each row of a file over a bare undici pool, reads each response and records nothing. JavaScript, so that no
 * time or memory goes into compiling a source: `bare-pool.mjs '{ "file", "baseUrl", "path", "headers" }'`.
 */
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const { file, baseUrl, path, headers } = JSON.parse(process.argv[2])
const ids = readFileSync(file, 'utf8').trim().split('\n').slice(1)
const atOnce = 8
const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1 })
let next = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (next < ids.length) {
      const id = ids[next]
      next += 1
      const reply = await pool.request({ path, method: 'POST', headers, body: JSON.stringify({ applicant_id: id }) })
      if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`)
      JSON.parse(await reply.body.text())
    }
  })
)
await pool.close()
