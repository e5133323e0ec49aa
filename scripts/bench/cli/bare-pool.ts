/** Sends each row of a file over a bare undici pool, reads each reply and writes nothing down: `bare-pool.ts FILE BASE-URL`. */
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { credentials } from '#contract/credentials.ts'
import { operationOf } from '#contract/operations.ts'
import { practiceCredentials } from '#practice/service.ts'

const [file = '', baseUrl = ''] = process.argv.slice(2)
const ids = readFileSync(file, 'utf8').trim().split('\n').slice(1)
const { path } = operationOf('get-applicant-details')
const headers = { ...Object.fromEntries(credentials.map(({ id, header }) => [header, practiceCredentials[id]])), 'content-type': 'application/json' }
const atOnce = 8
const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1 })
let next = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let id = ids[next]; id !== undefined; id = ids[next]) {
      next += 1
      const reply = await pool.request({ path, method: 'POST', headers, body: JSON.stringify({ applicant_id: id }) })
      if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`)
      JSON.parse(await reply.body.text())
    }
  })
)
await pool.close()
