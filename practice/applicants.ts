/**
 * The applicants of the practice service: invented people, derived only from the ID, so the same ID gives the same
 * person in every run.
 */
import { createHash } from 'node:crypto'

const givenNames = [
  'Avery',
  'Brann',
  'Celeste',
  'Dorian',
  'Elowen',
  'Farid',
  'Greta',
  'Hiro',
  'Ines',
  'Jun',
  'Kasimir',
  'Lúa',
  'Mbali',
  'Noor',
  'Ōta',
  'Petra'
]
const familyNames = [
  'Specimen',
  'Muster',
  'Exemplar',
  'Beispiel',
  'Modelo',
  'Voorbeeld',
  'Esempio',
  'Přiklad',
  'Örnek',
  'Mfano',
  'Vzorec',
  'Næsspecimen'
]
const countries = [
  'AUS',
  'BRA',
  'CAN',
  'CZE',
  'DEU',
  'ESP',
  'GHA',
  'IND',
  'ISL',
  'JPN',
  'KEN',
  'NLD',
  'NZL',
  'POL',
  'TUR',
  'UTO'
]
const towns = ['Sampleford', 'Testhaven', 'Probeburg', 'Villa Ejemplo', 'Modelstad', 'Esempio Alto']
const levels = ['low', 'low', 'low', 'medium', 'high']

/** Pseudo-random numbers from a digest of the ID, one byte each. */
function dice(applicantId: string): (faces: number) => number {
  const bytes = createHash('sha512').update(applicantId).digest()
  let at = 0
  return (faces) => bytes.readUInt16BE((at++ * 2) % (bytes.length - 1)) % faces
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/**
 * The details of an applicant that the lookup operation returns in addition to `message`.
 * @param baseUrl the practice service's own address, for links to its sample images
 */
export function applicantDetails(applicantId: string, baseUrl: string): Record<string, unknown> {
  const roll = dice(applicantId)
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  const day = (from: number, years: number): string =>
    `${from + roll(years)}-${twoDigits(1 + roll(12))}-${twoDigits(1 + roll(28))}`
  const given = pick(givenNames)
  const family = pick(familyNames)
  const nationality = pick(countries)
  const number = (letter: string): string =>
    `${letter}${String(100_000 + roll(900_000))}${String(roll(1000)).padStart(3, '0')}`
  return {
    applicant_id: applicantId,
    name: `${given} ${family}`,
    date_of_birth: day(1948, 58),
    nationality,
    email:
      roll(3) === 0
        ? null
        : `${given
            .normalize('NFD')
            .replace(/[^a-z]/gi, '')
            .toLowerCase()}@example.com`,
    address: {
      lines: [`${1 + roll(240)} Practice Street`, ...(roll(2) ? [`Flat ${1 + roll(40)}`] : [])],
      town: pick(towns),
      postal_code: String(roll(100_000)).padStart(5, '0'),
      country: nationality
    },
    documents: [
      {
        type: 'passport',
        number: number('P'),
        issuing_country: nationality,
        issued_on: day(2016, 8),
        expires_on: day(2026, 8),
        image_url: `${baseUrl}/samples/passport.png`
      },
      {
        type: 'id_card',
        number: number('C'),
        issuing_country: nationality,
        issued_on: day(2018, 6),
        expires_on: day(2025, 9),
        image_url: `${baseUrl}/samples/id-card.png`
      }
    ],
    verification: {
      photo: { passed: roll(8) !== 0, similarity: (800 + roll(200)) / 1000 },
      documents: { passed: roll(8) !== 0, warnings: roll(4) === 0 ? ['glare on the lower third'] : [] }
    },
    risk: { level: pick(levels), politically_exposed: roll(20) === 0, sanctions_hits: 0 },
    created_at: `${day(2024, 2)}T${twoDigits(roll(24))}:${twoDigits(roll(60))}:${twoDigits(roll(60))}Z`
  }
}
