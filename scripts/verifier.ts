/** Writes verifier/verify.html, the page that contains verifier/verify.mjs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The page with the verifier: a file is chosen or dropped, nothing is loaded and nothing is sent. */
export function verifierPage(program: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verify an evidence pack</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 } input, textarea { font: inherit; width: 100%; box-sizing: border-box }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid; padding: 1rem }
</style>
</head>
<body>
<h1>Verify an evidence pack</h1>
<p>Nothing leaves this page, and it needs no network.</p>
<label>Pack <input type="file" id="file" accept=".json"></label>
<label>Fingerprint of the key that must have signed it, if you know it <input id="key" autocomplete="off" spellcheck="false"></label>
<label>Fingerprints of the keys that must have countersigned it, if you know them, one on each line
<textarea id="countersigners" rows="2" autocomplete="off" spellcheck="false"></textarea></label>
<label>How many of these must agree (all, if you leave it empty) <input id="required" inputmode="numeric" autocomplete="off"></label>
<p id="verdict" role="status"></p>
<pre id="details" hidden></pre>
<script type="module">
${program.replaceAll('</script', '<\\/script')}
const part = (id) => document.getElementById(id)
const asked = () => {
  const required = part('required').value.trim()
  return {
    countersigners: part('countersigners').value.split('\\n').filter((line) => line.trim() !== ''),
    countersignatures: required === '' ? undefined : Number(required)
  }
}
let turn = 0
async function look() {
  const mine = (turn += 1)
  const [file] = part('file').files
  part('details').hidden = true
  part('details').textContent = ''
  part('verdict').textContent = file ? 'Verifying …' : ''
  if (!file) return
  let [said, lines] = ['', []]
  try {
    const bytes = await file.arrayBuffer()
    let text
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      said = 'REFUSED. It is not text.'
    }
    const result = text === undefined ? undefined : await verifyPack(text, part('key').value.trim() || undefined, asked())
    if (result) said = result.asked === false ? \`NOT LOOKED AT. \${result.why}\` : verdict(result)
    if (result?.verified) lines = summary(result)
  } catch (error) {
    said = \`NOT LOOKED AT. \${error.message}\`
  }
  // Another file may have been chosen meanwhile: an answer about this one would be taken for an answer about that.
  if (mine !== turn) return
  part('verdict').textContent = said
  part('details').hidden = lines.length === 0
  part('details').textContent = lines.join('\\n')
}
for (const id of ['file', 'key', 'countersigners', 'required']) part(id).addEventListener('change', look)
</script>
</body>
</html>
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(at('verifier/verify.html'), verifierPage(readFileSync(at('verifier/verify.mjs'), 'utf8')))
}
