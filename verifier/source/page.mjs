/** The script of the page. Everything that a pack says is inserted as text, never as markup. */
import { fromUtf8 } from './bytes.mjs'
import { eventsInWords } from './event-words.mjs'
import { verifyFile } from './verification.mjs'
import { summary, verdict } from './words.mjs'
import { sourceOfFile } from './zip.mjs'

const part = (id) => document.getElementById(id)
const pageSize = 100
const longest = 20000
const linesOf = (id) =>
  part(id)
    .value.split('\n')
    .filter((line) => line.trim() !== '')
const filesOf = (id) =>
  Promise.all(
    Array.from(part(id).files, async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }))
  )
/** Everything that the reader gives beside the pack. */
async function askedFor() {
  const bytesOf = async (id) => (await filesOf(id)).map(({ bytes }) => bytes)
  const textsOf = async (id) =>
    (await filesOf(id)).map(({ name, bytes }) => {
      const text = fromUtf8(bytes)
      if (text === undefined) throw new Error(name + ' is not text.')
      return text
    })
  return {
    trusted: linesOf('trusted'),
    authorities: await bytesOf('authorities'),
    timestampAuthorities: await bytesOf('timestamp-authorities'),
    revocations: await textsOf('revocations'),
    attachments: await filesOf('attachments'),
    others: await textsOf('others')
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
  more.addEventListener('click', () => {
    shown.textContent = value
  })
  shown.append(more)
  return shown
}
function articleOf({ title, time, about, entries }) {
  const article = document.createElement('article')
  const values = document.createElement('dl')
  for (const { label, value } of entries) values.append(element('dt', label), valueOf(value))
  article.append(element('h3', title), element('p', time + ', ' + about, 'meta'), values)
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
    result = await verifyFile(sourceOfFile(file), part('key').value.trim() || undefined, await askedFor())
    said = verdict(result)
    if (result.pack) lines = summary(result)
  } catch (error) {
    said = 'NOT VERIFIED. ' + error.message
  }
  // Another file may have been chosen meanwhile: an answer about this one would be taken for an answer about that.
  if (mine !== turn) return
  part('verdict').textContent = said
  part('details').hidden = lines.length === 0
  part('details').textContent = lines.join('\n')
  if (!result?.pack) return
  shown = result
  part('events').hidden = false
  await show(0, pageSize)
}
const inputs = [
  'file',
  'key',
  'authorities',
  'timestamp-authorities',
  'revocations',
  'trusted',
  'attachments',
  'others'
]
for (const id of inputs) part(id).addEventListener('change', look)
part('back').addEventListener('click', () => show(Math.max(0, first - pageSize), first))
part('on').addEventListener('click', () => show(first + pageSize, first + 2 * pageSize))
part('all').addEventListener('click', () => show(0, Infinity))
part('print').addEventListener('click', () => print())
