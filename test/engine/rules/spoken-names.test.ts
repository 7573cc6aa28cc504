/** What calls of libraries that no pack knows do with data of a request: their names say it. */
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner } from '../../../subgraphs/compliance/engine/index.js'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'

const scanner = createScanner({ analyzers: 1, limits: { scanTimeoutMs: 120_000 } })
afterAll(() => scanner.close())

type Sample = readonly [cwe: number, language: Language, code: string]

const js = (body: string): string => `app.post('/x', async (req, res) => { ${body} })`
const py = (body: string): string => `from flask import request\n@app.route('/x')\ndef x():\n    ${body}`
const go = (body: string): string => `package p\nimport "net/http"\nfunc h(w http.ResponseWriter, r *http.Request) { ${body} }`
const java = (body: string): string => `class A { @GetMapping("/x") String x(@RequestParam String q) { ${body} } }`
const php = (body: string): string => `<?php $q = $_GET['q']; ${body}`
const ruby = (body: string): string => `class AController < ApplicationController\n  def x\n    ${body}\n  end\nend`
const cpp = (body: string): string => `void f(const httplib::Request &req, httplib::Response &res) { ${body} }`

const bad: readonly Sample[] = [
  [22, 'javascript', js('res.send(await vault.readTextFile("docs/" + req.query.name))')],
  [22, 'python', py('return shelf.open_file("docs/" + request.args["name"])')],
  [22, 'go', go('shelf.RemoveDirectory("docs/" + r.FormValue("name"))')],
  [22, 'java', java('return shelf.loadFile("docs/" + q);')],
  [22, 'cpp', cpp('shelf.send_file("docs/" + req.get_param_value("name"));')],
  [601, 'javascript', js('portal.redirectTo(req.query.next)')],
  [601, 'python', py('reply.put_header("Location", request.args["next"])')],
  [601, 'cpp', cpp('wire_put_header(out, WIRE_LOCATION, req.get_param_value("next"));')],
  [601, 'cpp', cpp('Wire_Add_Response_Header(out, "Location", req.get_param_value("next"));')],
  // What a model asks a tool for.
  [
    22,
    'java',
    'import org.springframework.ai.tool.annotation.Tool; class A { @Tool(description = "x") String read(@ToolParam String n) { return shelf.readFile(DIR.resolve(n)); } }',
  ],
  // Text that a caller joins is a statement too, as everywhere.
  [89, 'java', `class A { Object f(Filter filter) { return sql.where("agent = '" + filter.agent() + "'"); } }`],
  [918, 'javascript', js('await downloader.download(req.body.picture)')],
  [918, 'go', go('gull.Navigate(r.FormValue("url"))')],
  [918, 'php', php('$gull->fetchRemoteImage($q);').replaceAll('$q', '$url')],
  [1336, 'javascript', js('res.send(quill.renderString(req.body.text, {}))')],
  [94, 'java', java('return vm.evalScript(q);')],
  [94, 'python', py('return vm.run_script(request.form["s"])')],
  [78, 'ruby', ruby('tower.run_shell("ls " + params[:dir])')],
  [78, 'javascript', js('await tower.spawn("bash", "-c", "ls " + req.query.dir)')],
]

const good: readonly Sample[] = [
  // What is written is no name of a file; a constant name is nobody's choice.
  [22, 'javascript', js('await vault.writeTextFile("docs/a.txt", req.body.text)')],
  [22, 'python', py('return shelf.open_file_dialog(request.args["name"])')],
  [22, 'go', go('shelf.OpenFile("docs/a.txt")')],
  // The function stands in the file and takes it for a text.
  [22, 'javascript', `function readTextFile(name) { return name.length }\n${js('res.send(readTextFile(req.query.name))')}`],
  [601, 'javascript', js('portal.redirectTo("/orders/" + req.query.id)')],
  [601, 'python', py('people.put("location", request.args["town"])')],
  [918, 'javascript', js('await cache.fetch(req.query.id)')],
  [918, 'go', go('store.Get(r.FormValue("url"))')],
  [1336, 'javascript', js('res.send(quill.renderString("Hello", { name: req.body.text }))')],
  [89, 'typescript', 'export const f = (db: Db, a: string) => db.$queryRaw<Row[]>`SELECT a FROM t WHERE a = ${a}`'],
  [94, 'java', java('return vm.checkZipCode(q);')],
  [78, 'ruby', ruby('bus.run_query_command(params[:dir])')],
  [78, 'javascript', js('await tower.spawn("ls", req.query.dir)')],
]

const found = async (samples: readonly Sample[]): Promise<string[]> => {
  const results = await scanner.scan(samples.map(([, language, code]) => ({ language, code })))
  return samples.flatMap(([cwe, , code], at) =>
    results[at]?.violations.some((one) => one.cwe.includes(cwe)) === true ? [code] : [],
  )
}

describe('calls known by their words', () => {
  it('finds what their names say', async () => {
    const list = await found(bad)
    expect(bad.map(([, , code]) => code).filter((code) => !list.includes(code))).toEqual([])
  })
  it('leaves other calls alone', async () => {
    expect(await found(good)).toEqual([])
  })
})
