/** Reads the sentences of a feature from its words, and what its templates give to them. */
import ts from 'typescript'
import { parse, type SFCTemplateBlock } from 'vue/compiler-sfc'

type TemplateNode = NonNullable<SFCTemplateBlock['ast']>['children'][number]
type ElementNode = Extract<TemplateNode, { tag: string }>

/** One sentence in each form that it has; a value is `•`, a place for an element stays. */
export interface Sentence {
  readonly key: string
  readonly forms: readonly string[]
  /** Whether a form stands within another text: then no form is a sentence. */
  readonly nested: boolean
  readonly values: readonly string[]
  /** The object within the words that has it. */
  readonly group: string | undefined
}

const textOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `•${literal.text}`).join('')
}

function sentenceOf(key: string, group: string | undefined, given: ts.Node): Sentence {
  const forms: string[] = []
  const values: string[] = []
  let nested = false
  const visit = (node: ts.Node, within: boolean): void => {
    if (ts.isParameter(node)) {
      if (ts.isObjectBindingPattern(node.name)) values.push(...node.name.elements.map((each) => each.name.getText()))
      return
    }
    const text = textOf(node)
    if (text !== undefined) {
      nested ||= within
      forms.push(text)
    }
    if (ts.isConditionalExpression(node)) visit(node.whenTrue, within)
    if (ts.isConditionalExpression(node)) return visit(node.whenFalse, within)
    node.forEachChild((child) => visit(child, within || text !== undefined))
  }
  visit(given, false)
  return { key, forms, nested, values, group }
}

/** The sentences of a file, in the call of `inLanguage`. */
export function sentencesIn(source: string): Sentence[] {
  const found: Sentence[] = []
  const collect = (object: ts.ObjectLiteralExpression, group?: string): void => {
    for (const property of object.properties) {
      const key = property.name?.getText().replaceAll("'", '') ?? ''
      if (ts.isMethodDeclaration(property)) found.push(sentenceOf(key, group, property))
      if (!ts.isPropertyAssignment(property)) continue
      if (ts.isObjectLiteralExpression(property.initializer)) collect(property.initializer, key)
      else found.push(sentenceOf(key, group, property.initializer))
    }
  }
  const visit = (node: ts.Node): void => {
    const [english] = ts.isCallExpression(node) && node.expression.getText() === 'inLanguage' ? node.arguments : []
    if (english && ts.isObjectLiteralExpression(english)) collect(english)
    else node.forEachChild(visit)
  }
  visit(ts.createSourceFile('words.ts', source, ts.ScriptTarget.Latest, true))
  return found
}

/** Groups that hold no sentences: names for a search, units beside a field, what a person types to confirm. */
const unspoken: ReadonlySet<string> = new Set(['search', 'units', 'typed'])

const placesIn = (form: string): string[] =>
  [...new Set([...form.matchAll(/\{(\w+)\}|<(\w+)>/g)].map(([, place, tag]) => place ?? tag ?? ''))]
    .filter((name) => name !== 'n')
    .sort()

/** What is wrong with the sentences of one file. */
export function faultsOf(sentences: readonly Sentence[]): string[] {
  const known = new Map<string, string>()
  return sentences.flatMap(({ key, forms, nested, values, group }) => {
    const faults: string[] = []
    const say = (what: string): void => void faults.push(`${key}: ${what}`)
    if (nested) say('has a part within another text')
    if (/\d$/.test(key) && !forms.some((form) => form.includes(/\d+$/.exec(key)?.[0] ?? ''))) say('ends in a number')
    const numbered = [...values, ...forms.flatMap(placesIn)].filter((name) => /\d$/.test(name) && name !== 'sha256')
    if (numbered.length > 0) say(`has the value ${numbered.join(', ')}`)
    for (const form of forms) {
      if (form.trim() !== form || /^[,.;:·]|[,;·]$/.test(form) || form === '') say(`“${form}” is a part`)
      else if (/^\p{Ll}/u.test(form) && !unspoken.has(group ?? '')) say(`“${form}” begins small`)
      if (placesIn(form).join() !== placesIn(forms[0] ?? '').join()) say('does not have its places in each form')
    }
    const same = JSON.stringify([group, ...forms])
    if (known.has(same)) say(`says the same as ${known.get(same)}`)
    known.set(same, key)
    return faults
  })
}

/** The keys of `words` in an expression of a template. */
const keysIn = (expression: string): string[] =>
  [...expression.matchAll(/\bwords\.([\w.]+)/g)].map(([, key = '']) => key)

/** Names given to a sentence: its slots and the keys of its values. */
function givenTo({ children, props }: ElementNode, values: string): string[] {
  const slots = children.flatMap((child) =>
    child.type === 1
      ? child.props.flatMap((prop) =>
          prop.type === 7 && prop.name === 'slot' && prop.arg?.type === 4 ? [prop.arg.content] : []
        )
      : []
  )
  const own = props.flatMap((prop) =>
    prop.type === 7 && prop.name === 'slot' && prop.arg?.type === 4 ? [prop.arg.content] : []
  )
  const object = ts.createSourceFile('values.ts', `(${values || '{}'})`, ts.ScriptTarget.Latest, true)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node))
      for (const property of node.properties) names.push(property.name?.getText() ?? '')
    else node.forEachChild(visit)
  }
  visit(object)
  return [...new Set([...slots, ...own, ...names])].sort()
}

/** Sentences that an element shows. */
function saidIn(node: TemplateNode): string[] {
  if ('branches' in node) return node.branches.flatMap((branch) => branch.children.flatMap(saidIn))
  if (node.type === 5) return node.content.loc.source.match(/\bwords\.\w+/g) ?? []
  if (node.type !== 1) return []
  const own = node.props.flatMap((prop) =>
    prop.type === 7 && prop.name === 'bind' && prop.arg?.type === 4 && /^(?:text|message)$/.test(prop.arg.content)
      ? (prop.exp?.loc.source.match(/\bwords\.\w+/g) ?? [])
      : []
  )
  return [...own, ...node.children.flatMap(saidIn)]
}

/** What the template of a component gives to its sentences otherwise than they have it. */
export function slotFaults(component: string, sentences: readonly Sentence[]): string[] {
  const faults: string[] = []
  const visit = (node: TemplateNode): void => {
    if ('branches' in node) return node.branches.forEach((branch) => branch.children.forEach(visit))
    if (node.type !== 1) return
    if (node.tag === 'PhraseText') {
      const bound = (name: string): string =>
        node.props.flatMap((prop) =>
          prop.type === 7 && prop.name === 'bind' && prop.arg?.type === 4 && prop.arg.content === name && prop.exp
            ? [prop.exp.loc.source]
            : []
        )[0] ?? ''
      const text = bound('text')
      const given = givenTo(node, bound('values')).join()
      for (const child of node.children)
        if (child.type === 1) faults.push(...saidIn(child).map((said) => `${text}: holds ${said}`))
      const keys = keysIn(text)
      if (keys.length === 0) faults.push(`${text}: is no sentence of the feature`)
      for (const key of keys) {
        const found = sentences.filter((each) =>
          each.group ? each.group === key || `${each.group}.${each.key}` === key : each.key === key
        )
        for (const places of found.length > 0 ? found.map(({ forms }) => placesIn(forms[0] ?? '').join()) : [''])
          if (places !== given) faults.push(`${key}: has the places ${places}, and is given ${given}`)
      }
    }
    node.children.forEach(visit)
  }
  parse(component).descriptor.template?.ast?.children.forEach(visit)
  return faults
}

/** Sentences that a source puts into another sentence. */
export const wordsWithin = (source: string): string[] =>
  [...source.matchAll(/\bwords\.\w+\(\{[^}]*\bwords\.[^}]*\}|:values="[^"]*\bwords\.[^"]*"/g)].map(([found]) => found)
