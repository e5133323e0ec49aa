/** The preview's command line. */
import { parseArgs } from 'node:util'
import { approvalEnding, packEndings, tableEndings } from '#contract/app/opening.ts'
import { askedBy } from '../node/openings.ts'
import { sampleWithData } from '../node/sample.ts'

export interface PreviewOptions {
  readonly dataFolder?: string
  /** Sample data in a temporary folder, deleted at the end. */
  readonly sample: boolean
  readonly headless: boolean
  readonly width: number
  readonly height: number
  /** Links and files to open in the window. */
  readonly toOpen: readonly string[]
}

/** Parses the arguments, or returns a sentence that says what is wrong with them. */
export function previewOptions(args: readonly string[]): PreviewOptions | string {
  let values: { data?: string; sample?: boolean; headless?: boolean; size?: string }
  let toOpen: string[]
  try {
    ;({ values, positionals: toOpen } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        sample: { type: 'boolean' },
        headless: { type: 'boolean' },
        size: { type: 'string' }
      }
    }))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : 'The options could not be read'
    return `${reason}. The preview takes --data FOLDER or --sample, --headless, --size WIDTHxHEIGHT, and a link or a file to open.`
  }
  const size = /^(\d{3,5})x(\d{3,5})$/.exec(values.size ?? '1280x860')
  const width = Number(size?.[1])
  const height = Number(size?.[2])
  if (!size || width < 400 || height < 300 || width > 16_000 || height > 16_000)
    return '--size takes a width and a height in pixels, for example --size 1280x860.'
  if (values.sample && values.data !== undefined) return sampleWithData
  const unknown = toOpen.find((each) => !askedBy(each, process.cwd()))
  if (unknown !== undefined)
    return `${unknown} is neither a link of Veridesk nor a file that it opens (${[...packEndings, approvalEnding, ...tableEndings].join(', ')}). Start the preview without it.`
  if (values.data === '') return '--data takes a folder.'
  return {
    ...(values.data !== undefined && { dataFolder: values.data }),
    sample: values.sample ?? false,
    headless: values.headless ?? false,
    width,
    height,
    toOpen
  }
}
