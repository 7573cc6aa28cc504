/** The table of contents: which Markdown files are served, under which name, in which order, and what each is about. */

export const GROUPS = ['Begin', 'Call models', 'Check code', 'Reference', 'Operate', 'Project'] as const

export type Group = (typeof GROUPS)[number]

export interface Chapter {
  /** In the repository; null for what the build writes itself. */
  readonly file: string | null
  /** Below /docs; the empty text is /docs itself. */
  readonly name: string
  readonly group: Group
  /** One line for whoever chooses what to read. */
  readonly summary: string
  /** For the navigation, where the heading is too long. */
  readonly short?: string
}

const guide = (name: string, group: Group, summary: string, short?: string): Chapter => ({
  file: `docs/${name}.md`,
  name,
  group,
  summary,
  short,
})

const written = (name: string, summary: string): Chapter => ({ file: null, name, group: 'Reference', summary })

export const CHAPTERS: readonly Chapter[] = [
  {
    file: 'README.md',
    name: '',
    group: 'Begin',
    summary: 'What Sluice is, and each of its APIs in one example.',
    short: 'Overview',
  },
  guide('start', 'Begin', 'From nothing to the first answer, and from the sandbox to a provider of your own.'),
  guide('sdks', 'Call models', "OpenAI's and Anthropic's SDKs, streams, tools, errors and retries."),
  guide('graphql-clients', 'Call models', 'Whole programs for graphql-sse, urql, Apollo Client and Relay.'),
  guide('responses', 'Call models', "OpenAI's Responses API: what is answered and what is refused by name.", 'Responses API'),
  guide('messages', 'Call models', "Anthropic's Messages API: what is answered and what is refused by name.", 'Messages API'),
  guide('cold-models', 'Call models', 'Models that run nowhere yet, and three ways to wait for them.', 'Cold models'),
  guide('billing', 'Call models', 'Holds, charges, caps and prices: what a request costs and how to prove it.'),
  guide('scanning-in-ci', 'Check code', 'The scanner as a step of a build: reports, exit codes, baselines.'),
  guide('answer-scan', 'Check code', 'The code in the answers of models, checked while it is written.', 'Code in answers'),
  guide('scanner-rules', 'Check code', 'How a rule of the scanner is written and proven.', 'Writing rules'),
  written('rest', 'Every path of the REST API with its parameters, bodies, answers and an example call.'),
  written('rest-schemas', 'Every object that the REST API takes and answers, field by field.'),
  written('graphql', 'The GraphQL endpoint, and operations to begin with.'),
  written('graphql-operations', 'Every query, mutation and subscription with its arguments and an example document.'),
  written('graphql-types', 'Every type of the GraphQL schema, field by field.'),
  guide('error-codes', 'Reference', 'Every error code of every API: when it comes and what to do.'),
  guide('operations', 'Operate', 'Every setting, limit, mode, metric and log line.'),
  guide(
    'scaling',
    'Operate',
    'How servers share accounts on PostgreSQL, what was measured, and a calculation for a hundred of them.',
    'Scaling',
  ),
  guide('webhooks', 'Operate', 'What happens, told to an address of yours, signed and repeated until it arrives.'),
  guide('keeping', 'Operate', 'Backups, upgrades, moving to another database, what is kept and for how long.'),
  { file: 'SECURITY.md', name: 'security', group: 'Operate', summary: 'What is protected, and how to report a hole.' },
  guide('architecture', 'Project', 'The rooms of the program, and a chat, a rental and a scan through them.'),
  { file: 'CONTRIBUTING.md', name: 'contributing', group: 'Project', summary: 'How to build, test and change Sluice.' },
  { file: 'CHANGELOG.md', name: 'changelog', group: 'Project', summary: 'What changed in each version.' },
  { file: null, name: 'decisions', group: 'Project', summary: 'Choices that someone would question, half a page each.' },
]
