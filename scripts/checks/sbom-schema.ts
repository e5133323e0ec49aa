/**
 * Checks an SBOM against CycloneDX's own schemas: `sbom-schema.ts SBOM FOLDER`, with the folder `res/schema` of the package
 * `@cyclonedx/cyclonedx-library`, which the release workflow fetches. It is no dependency of the repository.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'

const [list = '', folder = ''] = process.argv.slice(2)
const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
// Formats (dates, addresses) have their own package; the structure and every closed list are checked.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
for (const name of ['spdx', 'jsf-0.82'])
  ajv.addSchema(
    read(join(folder, `${name}.SNAPSHOT.schema.json`)),
    `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`
  )
const bom = read(list)
const validate = ajv.compile(read(join(folder, `bom-${String(bom['specVersion'])}.SNAPSHOT.schema.json`)))
const valid = validate(bom)
console.log(
  valid
    ? `${list} is valid by CycloneDX ${String(bom['specVersion'])}`
    : ajv.errorsText(validate.errors, { separator: '\n' })
)
process.exit(valid ? 0 : 1)
