/** The way of data that a finding shows: every step at its place, at most twelve, and nothing where no data flows. */
import { expect, it } from 'vitest'
import { scanFile, type RawFinding } from '../../../subgraphs/compliance/engine/analyzer/scan-file.js'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { compileRulebook } from '../../../subgraphs/compliance/engine/rulebook/compile.js'
import { loadPacks, loadRules } from '../../../subgraphs/compliance/engine/rulebook/load.js'
import { flowsOf } from './kit.js'

const rules = loadRules().map(({ rule }) => rule)
const packs = loadPacks()

/** What the shipped rules find. */
async function found(language: Language, code: string): Promise<readonly RawFinding[]> {
  const book = compileRulebook(language, rules, packs)
  return (await scanFile(book, code, language, 'main', { maxSteps: 300_000, timeoutMs: 60_000 })).findings
}

const shown = (flow: RawFinding['flow']): string[] => flow.map(({ line, column, message }) => `${line}:${column} ${message}`)

const programs: readonly (readonly [Language, string, readonly string[]])[] = [
  [
    'javascript',
    `const app = require('express')()
app.get('/', (req, res) => {
  const id = req.query.id
  const query = 'select * from t where id = ' + id
  db.query(query)
})`,
    ['3:14 request data enters here', '3:9 passes into "id"', '4:9 passes into "query"', '5:6 reaches the SQL sink'],
  ],
  [
    'python',
    `import os
from flask import request
def run():
    name = request.args['name']
    command = 'ls ' + name
    os.system(command)
`,
    ['4:12 request data enters here', '4:5 passes into "name"', '5:5 passes into "command"', '6:8 reaches the command sink'],
  ],
  [
    'java',
    `class A extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("name");
    String sql = "select * from t where n = '" + name + "'";
    connection.createStatement().executeQuery(sql);
  }
}`,
    ['3:27 request data enters here', '3:12 passes into "name"', '4:12 passes into "sql"', '5:34 reaches the SQL sink'],
  ],
  [
    'go',
    `package main
import ("database/sql"; "net/http")
func handle(w http.ResponseWriter, r *http.Request, db *sql.DB) {
	name := r.URL.Query().Get("name")
	query := "select * from t where n = '" + name + "'"
	db.Query(query)
}`,
    ['4:10 request data enters here', '4:2 passes into "name"', '5:2 passes into "query"', '6:5 reaches the SQL sink'],
  ],
  [
    'php',
    `<?php
$name = $_GET['name'];
$query = "select * from t where n = '" . $name . "'";
mysqli_query($db, $query);`,
    ['2:9 request data enters here', '2:1 passes into "$name"', '3:1 passes into "$query"', '4:1 reaches the SQL sink'],
  ],
  [
    'c',
    `int main(int argc, char **argv) {
  char command[200];
  char *name = getenv("NAME");
  snprintf(command, sizeof command, "ls %s", name);
  system(command);
}`,
    ['3:16 local input enters here', '3:9 passes into "name"', '4:12 passes into "command"', '5:3 reaches the command sink'],
  ],
]

it.each(programs)('%s: data is followed from its source through two variables to the sink', async (language, code, steps) => {
  expect((await found(language, code)).map(({ flow }) => shown(flow))).toEqual([steps])
})

it('a step ends where its code ends, and says what kind it is', async () => {
  const [flow] = await flowsOf('javascript', 'const a = source()\nsink(a)')
  expect(flow).toEqual([
    { kind: 'source', line: 1, column: 11, endLine: 1, endColumn: 19, message: 'request data enters here' },
    { kind: 'assignment', line: 1, column: 7, endLine: 1, endColumn: 8, message: 'passes into "a"' },
    { kind: 'sink', line: 2, column: 1, endLine: 2, endColumn: 8, message: 'reaches the test sink' },
  ])
})

it('a function of the file is a step at its call, and what it does follows', async () => {
  const [flow = []] = await flowsOf(
    'javascript',
    'function run(text) {\n  const whole = text + ";"\n  sink(whole)\n}\nconst a = source()\nrun(a)',
  )
  expect(shown(flow)).toEqual([
    '5:11 request data enters here',
    '5:7 passes into "a"',
    '6:1 passes into "run" as "text"',
    '2:9 passes into "whole"',
    '3:3 reaches the test sink',
  ])
})

it('what a function answers carries the steps inside of it', async () => {
  const [flow = []] = await flowsOf(
    'python',
    'def wrap(text):\n    whole = text + ";"\n    return whole\nb = wrap(source())\nsink(b)',
  )
  expect(shown(flow).slice(1)).toEqual([
    '4:5 passes into "wrap" as "text"',
    '2:5 passes into "whole"',
    '4:1 passes into "b"',
    '5:1 reaches the test sink',
  ])
})

it.each([
  ['if (/^[a-z]+$/.test(a)) b = a', 'else b = a', '4:6'],
  ['if (!/^[a-z]+$/.test(a)) b = a', 'else b = a', '3:26'],
])('of two branches the one that does not test the data gives the way: %s, %s', async (first, second, place) => {
  const [flow = []] = await flowsOf('javascript', `const a = source()\nlet b\n${first}\n${second}\nsink(b)`)
  expect(shown(flow).at(-2)).toBe(`${place} passes into "b"`)
})

it('a long way has twelve steps, the last of them the sink', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `const v${at + 1} = v${at}`)
  const [flow = []] = await flowsOf('javascript', ['const v0 = source()', ...names, 'sink(v40)'].join('\n'))
  expect(flow).toHaveLength(12)
  expect([flow[0]?.kind, flow.at(-1)?.kind, flow.at(-1)?.line]).toEqual(['source', 'sink', 42])
})

it('functions that call each other twice over do not multiply the steps', async () => {
  const functions = Array.from({ length: 12 }, (_, at) => `function f${at}(x) { return f${at + 1}(f${at + 1}(x)) }`)
  const code = [...functions, 'function f12(x) { const y = x; return y }', 'sink(f0(source()))'].join('\n')
  const [flow = []] = await flowsOf('javascript', code)
  expect(flow.length).toBeLessThanOrEqual(12)
  expect(flow.at(-1)?.kind).toBe('sink')
})

it.each([
  'for (const b of list) a = a + b',
  'while (x) a += x',
  'do { a = a + x } while (x)',
  'for (const b of list) { sink(a); a = wrap(a) }',
])('a loop shows its assignment once: %s', async (loop) => {
  const [flow = []] = await flowsOf('javascript', `function wrap(t) { return t }\nlet a = source()\n${loop}\nsink(a)`)
  const steps = shown(flow)
  expect(steps).toEqual([...new Set(steps)])
})

it('a finding that is not about data has no way', async () => {
  const findings = await found('python', "import requests\nrequests.get('https://internal/api', verify=False)\n")
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.map(({ flow }) => flow)).toEqual(findings.map(() => []))
})
