/**
 * What traces cost: the nine spans of a streamed chat, made and posted with everything sampled, as processor time of a chat and as
 * a share of what a bare pass-through takes for one. The two are measured in turn on the same core; the share is the figure to
 * trust, because machines differ and change their speed.
 *
 * `npm run --silent build && node test/bench/spans.mjs [rounds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { closedLoop, quantile } from './load.ts'
import { cores, pinSelf, start } from './processes.ts'
import { createSystems, models } from './systems.ts'

const CHATS = 40_000
/** Of them, between two pauses: as many as are answered at a time. */
const AT_ONCE = 64
/** The limit of a chat's spans, 15 us, where a bare pass-through takes 77 us for a request. */
const LIMIT = 15 / 77

/** As the program writes them: attributes and events of one streamed chat. */
async function loop(endpoint) {
  const { openTracer } = await import('../../dist/src/server/telemetry/tracer.js')
  const { createLog } = await import('../../dist/src/platform/log.js')
  const log = createLog({ level: 'warn', destination: process.stderr })
  const tracer = await openTracer(new Map([['OTEL_EXPORTER_OTLP_ENDPOINT', endpoint]]), log)
  const chat = (index) => {
    const request = tracer.request('POST /v1/chat/completions', undefined)
    const graph = request.child('graphql RestChatCompletion')
    const who = { 'sluice.account.id': `acc_${index}`, 'sluice.key.id': `key_${index}` }
    const facts = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'light', ...who, 'gen_ai.request.max_tokens': 256 }
    const call = graph.child('chat light', facts, 'client')
    call.child('route').end()
    const admission = call.child('admission')
    admission.end()
    const attempt = call.child(
      'attempt hp-1',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'hp-1',
        'gen_ai.request.model': 'vendor/light',
        'sluice.deployment.id': `dep_${index}`,
      },
      'client',
    )
    void attempt.traceparent
    attempt.end()
    const stream = call.child('stream')
    stream.event('first_token')
    stream.event('end', { 'sluice.ended_as': 'completed' })
    stream.end()
    call.child('settlement').end()
    call.set({
      'gen_ai.response.model': 'light',
      'gen_ai.provider.name': 'hp-1',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.cache_read.input_tokens': 0,
      'gen_ai.usage.output_tokens': 64,
      'sluice.cost.usd': '0.000001234',
      'sluice.ended_as': 'completed',
      'sluice.first_token_ms': 1.5,
    })
    call.end()
    graph.end()
    request.set({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'sluice.request.id': `req_${index}`,
      ...who,
    })
    request.end()
  }
  const round = async () => {
    const before = process.cpuUsage()
    for (let done = 0; done < CHATS; done += AT_ONCE) {
      for (let index = done; index < done + AT_ONCE; index++) chat(index)
      // The collector keeps up, so that all of them are posted.
      await pause(1)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / CHATS
  }
  // A round for each request, and first two that nobody asks for.
  await round()
  await round()
  const server = createServer((_, response) => void round().then((us) => response.end(String(us))))
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

/** Takes what is posted, in a process of its own. */
function collect() {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(200).end()))
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

async function compare(rounds) {
  pinSelf()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const provider = await start(cores.load, [join(import.meta.dirname, 'provider.ts')])
  const collector = await start(cores.load, [import.meta.filename, 'collect'])
  const spans = await start(cores.measured, [import.meta.filename, 'loop', collector.url])
  const bare = await createSystems(provider.url, folder)[0].boot()
  await closedLoop(bare.pid, bare.request(models.json), 64, 5)
  const samples = []
  for (let round = 0; round < rounds; round++) {
    const { cpuUsPerRequest: bareUs } = await closedLoop(bare.pid, bare.request(models.json), 64, 1)
    const spansUs = Number(await (await fetch(spans.url)).text())
    samples.push({ spansUs, bareUs })
  }
  const median = (of) => quantile(samples.map(of), 0.5)
  const share = median(({ spansUs, bareUs }) => spansUs / bareUs)
  console.log(
    `${rounds} rounds, medians: ${median(({ spansUs }) => spansUs).toFixed(1)} us for the spans of a chat, ` +
      `${median(({ bareUs }) => bareUs).toFixed(0)} us for a bare request: ${share.toFixed(2)} of it (limit ${LIMIT.toFixed(2)})`,
  )
  for (const service of [spans, collector, bare, provider]) await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

const [mode, endpoint = ''] = process.argv.slice(2)
if (mode === 'loop') await loop(endpoint)
else if (mode === 'collect') collect()
else await compare(Number(mode ?? 9))
