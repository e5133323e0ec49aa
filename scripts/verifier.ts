/**
 * Writes out/verifier/verify.mjs, which is one file made of the parts in verifier/source, and verify.html beside it, the
 * page that contains it; every build does the same. The parts are put one after the other: nobody has to trust a bundler
 * to read what runs.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const style = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 } input, textarea { font: inherit; width: 100%; box-sizing: border-box }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid; padding: 1rem }
#verdict { font-weight: 600 } article { border-top: 1px solid; padding: .75rem 0 } h3, article p { margin: 0 }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: .15rem 1rem; margin: .5rem 0 0 }
dt { overflow-wrap: anywhere; unicode-bidi: isolate } dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
h3 { unicode-bidi: isolate } .absent { font-style: italic } button { font: inherit; margin-right: .5rem }
@page { size: A4; margin: 16mm }
@media print {
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; color: #000; background: #fff }
  .ask { display: none } h3, .meta { break-after: avoid } dl { grid-template-columns: 40mm minmax(0, 1fr) } pre { padding: 2mm }
}`

/** What others import from verify.mjs. */
const exported = ['canonical', 'eventsInWords', 'summary', 'verdict', 'verifyPack']

const introduction = `/**
 * Verifies an evidence pack of Veridesk. One file, no dependencies, no network: \`node verify.mjs FILE [KEY]\`, or open
 * verify.html in a browser. The format is described in docs/evidence-format.md.
 *
 * KEY, if given, is the SHA-256 fingerprint (64 hex digits) of the key that must have signed the pack. Without arguments
 * it lists its options.
 * Exit codes: 0 if the pack is verified; 3 if it is intact, but a key was not compared; 4 if it is intact, but its
 * decision needs a second person and is only proposed; 1 if it is refused; 2 if it cannot be read, or the arguments are not valid.
 *
 * Made of verifier/source by scripts/verifier.ts.
 */
`
const importLine = /^import \{[^}]*\} from '\.\/([a-z0-9-]+\.mjs)'\n/gm

/** The parts that a part needs, each before those that need it, and the part itself. */
function partsFor(name: string, read: (name: string) => string, found: string[] = []): string[] {
  if (found.includes(name)) return found
  for (const [, needed = ''] of read(name).matchAll(importLine)) partsFor(needed, read, found)
  found.push(name)
  return found
}

/** A part without its imports and exports. */
function bare(text: string): string {
  const body = text
    .replace(importLine, '')
    .replace(/^export (?=(?:async )?(?:const|class|function\*?) (\w+))/gm, (word, name: string) =>
      exported.includes(name) ? word : ''
    )
  const left = /^(?:import|export (?:default|\*|\{)).*$/m.exec(body)
  if (left) throw new Error(`a part has a line that cannot be joined: ${left[0]}`)
  return body.trim()
}

const readPart = (name: string): string => readFileSync(at(`verifier/source/${name}`), 'utf8')
const titled = (name: string): string =>
  `// --- ${name} ${'-'.repeat(Math.max(3, 94 - name.length))}\n\n${bare(readPart(name))}\n`

/** The text of verify.mjs. */
export function verifierProgram(): string {
  const parts = partsFor('command-line.mjs', readPart)
  const names = parts.flatMap((name) =>
    [...bare(readPart(name)).matchAll(/^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)/gm)].map(
      ([, each]) => each
    )
  )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two parts have something named ${twice}`)
  return [introduction, ...parts.map(titled)].join('\n')
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page with the verifier: a file is chosen, nothing is loaded and nothing is sent, and no other script can run. */
export function verifierPage(program: string): string {
  const script = `\n${`${program}\n${titled('page.mjs')}`.replaceAll('</script', '<\\/script')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verify an evidence pack</title>
<style>${style}</style>
</head>
<body>
<h1>Verify an evidence pack</h1>
<p class="ask">Nothing leaves this page, and it needs no network.</p>
<label class="ask">Pack <input type="file" id="file" accept=".json,.zip,.veridesk-evidence,.veridesk-case"></label>
<label class="ask">Fingerprint of the signer’s key, if you know it <input id="key" autocomplete="off" spellcheck="false"></label>
<details class="ask"><summary>More to compare</summary>
<label>Certificates of an authority that vouches for the signer <input type="file" id="authorities" multiple></label>
<label>Certificates of an authority for time-stamps <input type="file" id="timestamp-authorities" multiple></label>
<label>Revocations of keys <input type="file" id="revocations" accept=".json" multiple></label>
<label>Fingerprints of keys that may revoke other keys, one per line
<textarea id="trusted" rows="2" autocomplete="off" spellcheck="false"></textarea></label>
<label>Files that belong to the pack <input type="file" id="attachments" multiple></label>
<label>Other packs, or exports of the audit trail (JSON lines), which must not contradict it, and the trust file of the company <input type="file" id="others" accept=".json,.jsonl,.veridesk-trust" multiple></label>
</details>
<p id="verdict" role="status"></p>
<pre id="details" hidden></pre>
<section id="events" aria-labelledby="events-title" hidden>
<h2 id="events-title">Events</h2>
<p>These are the events of the file that was verified. Messages are the service’s exact words; decisions and notes were written by people. A character that would hide or reorder text is shown by its number.</p>
<p id="range"></p>
<p class="ask"><button type="button" id="back">Previous</button><button type="button" id="on">Next</button><button type="button" id="all">Show all</button><button type="button" id="print">Print</button></p>
<div id="list"></div>
</section>
<script type="module">${script}</script>
</body>
</html>
`
}

/** Writes both files. */
export function writeVerifier(): void {
  const program = verifierProgram()
  mkdirSync(at('out/verifier'), { recursive: true })
  writeFileSync(at('out/verifier/verify.mjs'), program)
  writeFileSync(at('out/verifier/verify.html'), verifierPage(program))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeVerifier()
