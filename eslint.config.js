import pluginVue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'

const runtimeHtml = ['innerHTML', 'outerHTML'].map((property) => ({
  selector: `AssignmentExpression > MemberExpression.left[property.name='${property}']`,
  message: 'Replies of the service are text, never markup. Use a text binding.'
}))

const alikeInEveryLanguage = [
  ...[
    'Ctrl',
    'Enter',
    'Esc',
    'Shift',
    'Alt',
    'Space',
    'Page Up',
    'Page Down',
    'F',
    'K',
    'P',
    'R',
    'S',
    'U',
    '0',
    '⌘',
    '↑',
    '↓',
    '←',
    '→'
  ],
  ...[
    '(',
    ')',
    ',',
    '.',
    '&',
    '+',
    '-',
    '–',
    '—',
    '−',
    '=',
    '*',
    '/',
    '#',
    '%',
    '!',
    '?',
    ':',
    ';',
    '[',
    ']',
    '{',
    '}'
  ],
  ...['<', '>', '·', '•', '…', '‐', '|', '“', '”', '×', '✓']
]
const attributesWithWords = {
  '/.+/': [
    'title',
    'aria-label',
    'aria-description',
    'aria-placeholder',
    'aria-roledescription',
    'aria-valuetext',
    'alt',
    'placeholder',
    'label',
    'description',
    'help',
    'heading',
    'hint',
    'caption',
    'badge-title'
  ]
}

// Markup and what writes it. All other rules are in .oxlintrc.json, where they take a tenth of the time.
export default tseslint.config(
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...pluginVue.configs['flat/recommended'],
  {
    files: ['renderer/**/*.{js,ts,vue}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...runtimeHtml,
        {
          selector: "CallExpression[callee.property.name='insertAdjacentHTML']",
          message: 'Replies of the service are text, never markup.'
        },
        {
          selector: "CallExpression[callee.object.name='document'][callee.property.name='write']",
          message: 'Replies of the service are text, never markup.'
        }
      ]
    }
  },
  { files: ['renderer/**/*.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['renderer/**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/no-v-html': 'error',
      'vue/no-restricted-syntax': [
        'error',
        ...['first', 'last'].map((place) => ({
          selector: `VElement > VText[value=/^ +$/]:${place}-child`,
          message: 'The compiler removes a space at the edge of an element: put it into the text.'
        }))
      ],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/max-lines-per-block': ['error', { template: 200, script: 200, style: 120 }],
      // The formatter decides about layout.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/attributes-order': 'off',
      // Views and primitives are named after what they are; single words are right for some of them.
      'vue/multi-word-component-names': 'off',
      // With TypeScript, optional props are undefined by type.
      'vue/require-default-prop': 'off',
      // A sentence is in the words of its feature. Names of keys and products, and signs, are alike in every language.
      'vue/no-bare-strings-in-template': [
        'error',
        { allowlist: alikeInEveryLanguage, attributes: attributesWithWords }
      ],
      // The window has one field for choices and one for dates, which look and work alike on every system.
      'vue/no-restricted-html-elements': [
        'error',
        { element: 'select', message: 'Use components/ui/SelectField.vue.' }
      ],
      'vue/no-restricted-static-attribute': [
        'error',
        ...['date', 'time', 'datetime-local', 'month', 'week'].map((value) => ({
          key: 'type',
          value,
          element: 'input',
          message: 'Use components/ui/DatePicker.vue.'
        }))
      ]
    }
  }
)
