/** Code in answers is checked: `Sluice-Scan` of chat completions, and `codeCheck` in GraphQL. */
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChatApp, type ChatApp } from '../chats/chat-app.js'
import { answersBoth } from '../../kit/fake-provider-scenes.js'

/** In each of five languages a block with a weakness, then one without. */
const BLOCKS: readonly [language: string, cwe: string, bad: string, good: string][] = [
  [
    'python',
    'CWE-95',
    'from flask import request\nresult = eval(request.args["q"])\nimport hashlib\nmark = hashlib.md5(result).hexdigest()\n',
    'print(1 + 1)\n',
  ],
  [
    'javascript',
    'CWE-78',
    "const { exec } = require('child_process')\napp.get('/', (req, res) => exec('ls ' + req.query.dir))\n",
    'console.log(1 + 1)\n',
  ],
  [
    'php',
    'CWE-89',
    '<?php\n$id = $_GET["id"];\nmysqli_query($db, "SELECT * FROM users WHERE id = " . $id);\n',
    '<?php echo 1 + 1;\n',
  ],
  ['ruby', 'CWE-78', 'get "/" do\n  system("ls #{params[:dir]}")\nend\n', 'puts 1 + 1\n'],
  [
    'go',
    'CWE-89',
    'package main\n\nimport (\n\t"database/sql"\n\t"net/http"\n)\n\nfunc h(db *sql.DB, w http.ResponseWriter, r *http.Request) {\n\tdb.Query("SELECT * FROM t WHERE id = " + r.URL.Query().Get("id"))\n}\n',
    'package main\n\nfunc main() { println(1 + 1) }\n',
  ],
]

const text = `Here they are.\n${BLOCKS.map(([language, , bad, good]) => `\n\`\`\`${language}\n${bad}\`\`\`\nor\n\`\`\`${language}\n${good}\`\`\`\n`).join('')}\nDone.`

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    {
      code: answersBoth({ pieces: [text] }),
      letters: answersBoth({ pieces: text.split('') }),
      prose: answersBoth({ pieces: ['No code here.'] }),
      open: answersBoth({ pieces: ['```py\nimport os\nos.system(', 'input())'] }),
    },
    // What is measured is no speed: on a shared machine a scan takes longer than callers should wait.
    { limits: { answer_scan_seconds: 30 } },
  )
})
afterAll(() => chat.stop())

interface Scan {
  readonly status: string
  readonly message?: string
  readonly findings: readonly {
    readonly choice: number
    readonly block: number
    readonly line: number
    readonly language: string
    readonly violation: { readonly cwe: readonly string[]; readonly line: number; readonly severity: string }
  }[]
}
type Scanned<T> = T & { readonly sluice?: { readonly scan: Scan } }

const messages = [{ role: 'user' as const, content: 'Write code.' }]
const asking = { headers: { 'sluice-scan': 'all' } }

async function answer(model: string, key = chat.app.adminKey) {
  return (await chat.app.openai(key).chat.completions.create({ model, messages }, asking)) as Scanned<ChatCompletion>
}

async function streamed(model: string, { app } = chat) {
  const stream = await app.openai().chat.completions.create({ model, messages, stream: true }, asking)
  const chunks: Scanned<ChatCompletionChunk>[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** Each weak block with its weakness, and nothing of the others. */
function expectAllFound(scan: Scan | undefined) {
  expect(scan?.status).toBe('complete')
  const found = scan!.findings
  for (const [index, [language, cwe, bad]] of BLOCKS.entries()) {
    const of = found.filter(({ block }) => block === 2 * index)
    expect(of.map(({ language: read }) => read)).toContain(language)
    expect(of.flatMap(({ violation }) => violation.cwe)).toContain(cwe)
    for (const { line, violation } of of) {
      expect(
        text
          .split('\n')
          .slice(line - 1)
          .join('\n')
          .startsWith(bad),
      ).toBe(true)
      expect(bad.split('\n').length).toBeGreaterThanOrEqual(violation.line)
    }
  }
  expect(found.filter(({ block }) => block % 2 === 1)).toEqual([])
}

describe('Sluice-Scan', () => {
  it('tells what is wrong with the code of a whole answer', async () => {
    const { choices, sluice } = await answer('code')
    expect(choices[0]!.message.content).toBe(text)
    expectAllFound(sluice?.scan)
  })

  it('tells the same in the last chunk of a stream that comes letter by letter', async () => {
    const chunks = await streamed('letters')
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(chunks.filter(({ sluice }) => sluice !== undefined)).toHaveLength(1)
    expectAllFound(chunks.at(-1)!.sluice?.scan)
  })

  it('reads a block that the answer leaves open', async () => {
    const { sluice } = await answer('open')
    expect(sluice?.scan.findings.flatMap(({ violation }) => violation.cwe)).toContain('CWE-78')
  })

  it('says nothing to who does not ask, and nothing of prose', async () => {
    const plain = (await chat.app.openai().chat.completions.create({ model: 'code', messages })) as Scanned<ChatCompletion>
    expect(plain.sluice).toBeUndefined()
    expect((await answer('prose')).sluice).toEqual({ scan: { status: 'complete', findings: [] } })
  })

  it('names standards; one that does not exist is refused before anything is answered', async () => {
    const asked = await chat.app.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sluice-scan': 'PCI DSS, Moon Law' },
      body: JSON.stringify({ model: 'code', messages }),
    })
    expect(asked.status).toBe(400)
    expect(await asked.json()).toMatchObject({ error: { param: 'Sluice-Scan', message: expect.stringContaining('Moon Law') } })
  })

  it('has a rate of its own: what is beyond it is answered, and says that it was not scanned', async () => {
    const { key } = await chat.app.account({ credits: '5', scanTier: 'FREE' })
    // Ten blocks a time, sixty a minute.
    for (let time = 0; time < 6; time++) expect((await answer('code', key)).sluice?.scan.status).toBe('complete')
    const { choices, sluice } = await answer('code', key)
    expect(choices[0]!.message.content).toBe(text)
    expect(sluice?.scan).toMatchObject({ status: 'failed', message: expect.stringContaining('free tier') })
    const scanned = await chat.app.fetch('/api/scan', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 'x = 1', language: 'python' }),
    })
    expect(scanned.status).toBe(200)
  })
})

describe('a scan that takes its time', () => {
  it('does not hold up the end of a stream, which says that it is pending', async () => {
    const impatient = await startChatApp(
      { code: answersBoth({ pieces: [text] }) },
      { limits: { answer_scan_seconds: 0.000_001 } },
    )
    onTestFinished(() => impatient.stop())
    const chunks = await streamed('code', impatient)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(chunks.at(-1)!.sluice?.scan.status).toBe('pending')
  })
})

describe('codeCheck in GraphQL', () => {
  it('is a field of an answer: selected means scanned', async () => {
    const { createChatCompletion } = await chat.app.graphql<{
      createChatCompletion: {
        codeCheck: {
          status: string
          scannedBlocks: number
          findings: { block: number; line: number; violation: { severity: string } }[]
        }
      }
    }>(
      `mutation ($input: ChatCompletionInput!) {
        createChatCompletion(input: $input) {
          ... on ChatCompletion { codeCheck(minSeverity: HIGH) { status scannedBlocks findings { block line language violation { severity } } } }
        }
      }`,
      { input: { model: 'code', messages: [{ role: 'USER', content: 'Write code.' }] } },
    )
    const { status, scannedBlocks, findings } = createChatCompletion.codeCheck
    expect([status, scannedBlocks]).toEqual(['COMPLETE', 10])
    expect(new Set(findings.map(({ block }) => block))).toEqual(new Set([0, 2, 4, 6, 8]))
    expect(findings.map(({ violation }) => violation.severity).filter((severity) => /MEDIUM|LOW/.test(severity))).toEqual([])
    const { sluice } = await answer('code')
    expect(sluice?.scan.findings.map(({ violation }) => violation.severity)).toContain('medium')
  })
})
