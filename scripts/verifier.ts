/** Writes verifier/verify.html, the page that contains verifier/verify.mjs. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
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

/** The script of the page itself. Everything that a pack says is inserted as text, never as markup. */
const pageScript = String.raw`
const part = (id) => document.getElementById(id)
const pageSize = 100
const longest = 20000
const asked = () => {
  const required = part('required').value.trim()
  return {
    countersigners: part('countersigners').value.split('\n').filter((line) => line.trim() !== ''),
    countersignatures: required === '' ? undefined : Number(required)
  }
}
function element(name, text, className) {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}
function valueOf(value) {
  if (value === null) return element('dd', 'withheld or erased', 'absent')
  const shown = element('dd', value.slice(0, longest))
  if (value.length <= longest) return shown
  shown.append(element('span', ' … (' + value.length + ' characters) ', 'absent'))
  const more = element('button', 'Show all characters', 'ask')
  more.addEventListener('click', () => { shown.textContent = value })
  shown.append(more)
  return shown
}
function articleOf({ title, time, about, basis, entries }) {
  const article = document.createElement('article')
  const values = document.createElement('dl')
  for (const { label, value } of entries) values.append(element('dt', label), valueOf(value))
  article.append(element('h3', title), element('p', time + ', ' + about, 'meta'), ...(basis ? [element('p', basis)] : []), values)
  return article
}
let turn = 0
let drawing = 0
let shown
let first = 0
/** Shows a range of the events, in parts: the page stays responsive. */
async function show(from, to) {
  const mine = (drawing += 1)
  const { events } = shown.pack.content
  const last = Math.min(to, events.length)
  first = from
  part('range').textContent = 'Events ' + (from + 1) + ' to ' + last + ' of ' + events.length
  part('back').disabled = from === 0
  part('on').disabled = last >= events.length
  part('all').disabled = from === 0 && last >= events.length
  part('list').replaceChildren()
  for (let at = from; at < last; at += pageSize) {
    part('list').append(...Array.from(eventsInWords(shown, at, Math.min(at + pageSize, last)), articleOf))
    await new Promise((next) => setTimeout(next))
    if (mine !== drawing) return
  }
}
async function look() {
  const mine = (turn += 1)
  drawing += 1
  const [file] = part('file').files
  shown = undefined
  part('details').hidden = part('events').hidden = true
  part('details').textContent = ''
  part('list').replaceChildren()
  part('verdict').textContent = file ? 'Verifying …' : ''
  if (!file) return
  let [said, lines, result] = ['', []]
  try {
    const bytes = await file.arrayBuffer()
    let text
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      said = 'REFUSED. It is not text.'
    }
    result = text === undefined ? undefined : await verifyPack(text, part('key').value.trim() || undefined, asked())
    if (result) said = result.asked === false ? 'NOT VERIFIED. ' + result.why : verdict(result)
    if (result?.verified) lines = summary(result)
  } catch (error) {
    said = 'NOT VERIFIED. ' + error.message
  }
  // Another file may have been chosen meanwhile: an answer about this one would be taken for an answer about that.
  if (mine !== turn) return
  part('verdict').textContent = said
  part('details').hidden = lines.length === 0
  part('details').textContent = lines.join('\n')
  if (!result?.verified) return
  shown = result
  part('events').hidden = false
  await show(0, pageSize)
}
for (const id of ['file', 'key', 'countersigners', 'required']) part(id).addEventListener('change', look)
part('back').addEventListener('click', () => show(Math.max(0, first - pageSize), first))
part('on').addEventListener('click', () => show(first + pageSize, first + 2 * pageSize))
part('all').addEventListener('click', () => show(0, Infinity))
part('print').addEventListener('click', () => print())
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page with the verifier: a file is chosen, nothing is loaded and nothing is sent, and no other script can run. */
export function verifierPage(program: string): string {
  const script = `\n${program.replaceAll('</script', '<\\/script')}${pageScript}`
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
<label class="ask">Pack <input type="file" id="file" accept=".json"></label>
<label class="ask">Fingerprint of the signer’s key, if you know it <input id="key" autocomplete="off" spellcheck="false"></label>
<label class="ask">Fingerprints of the countersigners’ keys, if you know them, one per line
<textarea id="countersigners" rows="2" autocomplete="off" spellcheck="false"></textarea></label>
<label class="ask">Number of these that must agree (all if empty) <input id="required" inputmode="numeric" autocomplete="off"></label>
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(at('verifier/verify.html'), verifierPage(readFileSync(at('verifier/verify.mjs'), 'utf8')))
}
