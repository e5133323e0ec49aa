/** The drawings of the specimens, with a fictional country and an abstract face. */

const font = 'font-family="DejaVu Sans, Verdana, Arial, sans-serif"'
const mono = 'font-family="DejaVu Sans Mono, Consolas, monospace"'

/** Fine waves, as on security paper. */
function guilloche(width: number, height: number, colour: string, step = 11): string {
  const lines: string[] = []
  for (let y = -40; y < height + 40; y += step) {
    const bend = 18 + 12 * Math.sin(y / 37)
    lines.push(
      `<path d="M0 ${y} C ${width * 0.25} ${y - bend}, ${width * 0.35} ${y + bend}, ${width * 0.5} ${y} S ${width * 0.75} ${y - bend}, ${width} ${y}"/>`
    )
  }
  return `<g fill="none" stroke="${colour}" stroke-width="0.9" opacity="0.55">${lines.join('')}</g>`
}

/** Head and shoulders made of simple shapes, in a box of 100 by 128. */
function bust(x: number, y: number, scale: number, tint = ''): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})" ${tint}>
    <clipPath id="box${x}"><rect width="100" height="128" rx="3"/></clipPath>
    <g clip-path="url(#box${x})">
      <rect width="100" height="128" fill="#dfe7ec"/>
      <path d="M4 140 C 6 104, 30 98, 50 98 S 94 104, 96 140 Z" fill="#33566b"/>
      <path d="M38 88 h24 v16 c 0 10, -24 10, -24 0 Z" fill="#c99a78"/>
      <path d="M34 100 L50 122 L66 100 L74 103 L56 132 H44 L26 103 Z" fill="#e9eff2"/>
      <ellipse cx="50" cy="62" rx="23" ry="30" fill="#dcae8b"/>
      <path d="M25 62 C 20 22, 42 20, 52 22 C 76 20, 80 40, 75 64 C 72 48, 66 42, 54 43 C 42 44, 30 44, 25 62 Z" fill="#3d2f2a"/>
      <g fill="#3a2c27"><circle cx="41" cy="62" r="2.2"/><circle cx="59" cy="62" r="2.2"/></g>
      <path d="M50 64 l-2.6 10 h4.4 M42.5 80 q7.5 4 15 0" fill="none" stroke="#9a6b4e" stroke-width="1.6" stroke-linecap="round"/>
    </g></g>`
}

function specimenMark(cx: number, cy: number, size: number, angle: number): string {
  return `<text x="${cx}" y="${cy}" ${font} font-size="${size}" font-weight="700" letter-spacing="${size / 6}" text-anchor="middle"
    fill="#b3261e" fill-opacity="0.3" transform="rotate(${angle} ${cx} ${cy})">SPECIMEN</text>`
}

function field(x: number, y: number, label: string, value: string, size = 22): string {
  return `<text x="${x}" y="${y}" ${font} font-size="12" fill="#4d6470">${label}</text>
    <text x="${x}" y="${y + size + 5}" ${font} font-size="${size}" font-weight="600" fill="#14252e">${value}</text>`
}

const frame = (width: number, height: number, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`

const chip = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y})"><rect width="68" height="52" rx="8" fill="#d9bd6f" stroke="#a98d3f"/>
   <path d="M0 17 H22 M0 35 H22 M46 17 H68 M46 35 H68 M22 0 V52 M46 0 V52 M22 26 H46" stroke="#a98d3f" fill="none"/></g>`

const card = (inside: string): string =>
  frame(
    856,
    540,
    `<defs><linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#e3f1ee"/><stop offset="0.55" stop-color="#f6f1de"/>
    <stop offset="1" stop-color="#dfe9f4"/></linearGradient></defs>
    <rect x="1" y="1" width="854" height="538" rx="30" fill="url(#paper)" stroke="#9fb3b8" stroke-width="2"/>
    <clipPath id="edge"><rect x="2" y="2" width="852" height="536" rx="29"/></clipPath>
    <g clip-path="url(#edge)">${guilloche(856, 540, '#8fbcb2')}${inside}</g>`
  )

const portrait = frame(
  480,
  600,
  `<defs><linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#e8eef2"/><stop offset="1" stop-color="#cbd7de"/>
  </linearGradient></defs>
  <rect width="480" height="600" fill="url(#wall)"/>
  ${bust(0, 0, 4.8)}
  <rect y="548" width="480" height="52" fill="#14252e" fill-opacity="0.82"/>
  <text x="240" y="582" ${font} font-size="19" font-weight="600" letter-spacing="3" text-anchor="middle" fill="#ffffff">SPECIMEN · NO REAL PERSON</text>`
)

const idFront = card(`<rect width="856" height="84" fill="#1f5c63"/>
  <text x="40" y="40" ${font} font-size="26" font-weight="700" fill="#ffffff" letter-spacing="2">UTOPIA</text>
  <text x="40" y="66" ${font} font-size="15" fill="#d4ecea">IDENTITY CARD · CARTE D’IDENTITÉ</text>
  <text x="816" y="52" ${font} font-size="22" font-weight="700" fill="#ffd7d2" text-anchor="end" letter-spacing="4">SPECIMEN</text>
  ${bust(40, 112, 2.35)}
  ${field(316, 130, 'Surname · Nom', 'SPECIMEN', 26)}
  ${field(316, 194, 'Given names · Prénoms', 'AVERY NOBODY', 24)}
  ${field(316, 256, 'Date of birth', '12 AUG 1990')}${field(520, 256, 'Sex', 'X')}${field(600, 256, 'Nationality', 'UTO')}
  ${field(316, 316, 'Card number', 'C00000000')}${field(600, 316, 'Expires', '11 AUG 2034')}
  ${chip(744, 112)}
  ${bust(724, 196, 0.82, 'opacity="0.45"')}
  <path d="M318 408 c 20 -34, 34 24, 52 -6 s 22 -20, 34 4 s 40 -26, 70 -2" fill="none" stroke="#1c2f52" stroke-width="2.4" stroke-linecap="round"/>
  <text x="40" y="466" ${font} font-size="15" fill="#4d6470">Issued for practice by the Veridesk practice service. Proves nothing about anybody.</text>
  <rect y="496" width="856" height="44" fill="#1f5c63" fill-opacity="0.16"/>
  <text x="40" y="524" ${mono} font-size="18" fill="#1f5c63" letter-spacing="3">UTO-0000-0000-SPECIMEN</text>
  ${specimenMark(470, 350, 110, -18)}`)

const idBack =
  card(`${field(40, 70, 'Place of birth', 'SAMPLEFORD')}${field(40, 134, 'Address', '1 PRACTICE STREET, TESTHAVEN')}${field(40, 198, 'Authority', 'OFFICE OF EXAMPLES')}
  ${chip(740, 50)}
  <g fill="#14252e">${Array.from({ length: 64 }, (_, bar) => `<rect x="${500 + bar * 4.8}" y="196" width="${1 + ((bar * 7) % 4)}" height="72"/>`).join('')}</g>
  <rect y="330" width="856" height="210" fill="#ffffff" fill-opacity="0.72"/>
  <g ${mono} font-size="34.5" fill="#14252e">
  <text x="36" y="394">I&lt;UTOC00000000&lt;0&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;</text>
  <text x="36" y="446">9008120X3408118UTO&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;0</text>
  <text x="36" y="498">SPECIMEN&lt;&lt;AVERY&lt;NOBODY&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;</text></g>
  ${specimenMark(430, 300, 110, -18)}`)

const passport = frame(
  1000,
  704,
  `<defs><linearGradient id="page" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f3e9ee"/><stop offset="0.5" stop-color="#eef1f7"/>
  <stop offset="1" stop-color="#e6efe9"/></linearGradient></defs>
  <rect x="1" y="1" width="998" height="702" rx="18" fill="url(#page)" stroke="#a9a3b3" stroke-width="2"/>
  <clipPath id="edge"><rect x="2" y="2" width="996" height="700" rx="17"/></clipPath>
  <g clip-path="url(#edge)">${guilloche(1000, 560, '#b59ab5', 13)}
  <circle cx="690" cy="330" r="150" fill="none" stroke="#8a7fae" stroke-width="1" opacity="0.5"/>
  <circle cx="690" cy="330" r="128" fill="none" stroke="#8a7fae" stroke-width="1" opacity="0.4"/>
  <text x="48" y="62" ${font} font-size="24" font-weight="700" fill="#5b2540" letter-spacing="2">UTOPIA</text>
  <text x="48" y="88" ${font} font-size="15" fill="#7a4a62">PASSPORT · PASSEPORT</text>
  <text x="952" y="66" ${font} font-size="24" font-weight="700" fill="#b3261e" text-anchor="end" letter-spacing="5">SPECIMEN</text>
  ${bust(48, 122, 2.9)}
  ${field(376, 140, 'Type', 'P')}${field(470, 140, 'Code', 'UTO')}${field(640, 140, 'Passport No.', 'P00000000')}
  ${field(376, 206, 'Surname · Nom', 'SPECIMEN', 25)}
  ${field(376, 272, 'Given names · Prénoms', 'AVERY NOBODY', 25)}
  ${field(376, 338, 'Nationality', 'UTOPIAN')}${field(640, 338, 'Sex', 'X')}
  ${field(376, 402, 'Date of birth', '12 AUG 1990')}${field(640, 402, 'Place of birth', 'SAMPLEFORD')}
  ${field(376, 466, 'Date of issue', '12 AUG 2024')}${field(640, 466, 'Date of expiry', '11 AUG 2034')}
  ${bust(866, 410, 0.86, 'opacity="0.4"')}
  <rect y="560" width="1000" height="144" fill="#ffffff" fill-opacity="0.8"/>
  <g ${mono} font-size="33.6" fill="#14252e">
  <text x="48" y="616">P&lt;UTOSPECIMEN&lt;&lt;AVERY&lt;NOBODY&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;</text>
  <text x="48" y="666">P00000000&lt;0UTO9008120X3408118&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;0</text></g>
  ${specimenMark(540, 400, 138, -20)}</g>`
)

/** File name, size in pixels and drawing of each specimen. */
export const specimens = [
  { name: 'portrait.png', width: 480, height: 600, svg: portrait },
  { name: 'id-card.png', width: 856, height: 540, svg: idFront },
  { name: 'id-card-back.png', width: 856, height: 540, svg: idBack },
  { name: 'passport.png', width: 1000, height: 704, svg: passport }
] as const
