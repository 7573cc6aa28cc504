import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createLog } from '#platform/log.js'
import { createMetrics } from '#platform/metrics.js'
import { AppError } from '#platform/errors.js'
import { asOutage, DatabaseOutage, isConnectionSpent, outageReason } from '#platform/database/outage.js'
import { createOutageWatch } from '#platform/database/outage-watch.js'
import { ManualClock } from '../kit/manual-clock.js'

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

describe('trouble of a database', () => {
  test.each([
    ['08006', 'connection', true],
    ['57P01', 'connection', true],
    ['57P03', 'connection', true],
    ['58030', 'connection', true],
    ['25006', 'read_only', true],
    ['25P03', 'timeout', true],
    ['57014', 'timeout', false],
    ['55P03', 'locked', false],
    ['53300', 'overloaded', false],
    ['53100', 'full', false],
    ['ECONNREFUSED', 'connection', true],
    ['EPIPE', 'connection', true],
  ])('SQLSTATE or socket code %s is "%s"; the connection is replaced: %s', (code, reason, spent) => {
    expect([outageReason(withCode(code)), isConnectionSpent(withCode(code))]).toEqual([reason, spent])
    expect(asOutage(withCode(code))).toMatchObject({ code: 'service_unavailable', httpStatus: 503, retryAfterSeconds: 2 })
  })

  test.each(['23505', '22P02', '42P01', '40P01', '54000'])('SQLSTATE %s is ours and stays what it is', (code) => {
    const error = withCode(code)
    expect([asOutage(error), isConnectionSpent(error)]).toEqual([error, false])
  })

  test('a session in a failed transaction is our bug, and the connection is replaced all the same', () => {
    expect([outageReason(withCode('25P02')), isConnectionSpent(withCode('25P02'))]).toEqual([null, true])
  })

  test('what the client library says without a code is understood', async () => {
    const closed = new Client({ host: '127.0.0.1', port: 1 })
    await closed.end()
    const refusal = await closed.query('select 1').catch((error: unknown) => error)
    expect(outageReason(refusal)).toBe('connection')
    expect(outageReason(new Error('Query read timeout'))).toBe('timeout')
    expect(outageReason(new Error('timeout exceeded when trying to connect'))).toBe('timeout')
    expect(outageReason(new Error('Connection terminated unexpectedly'))).toBe('connection')
    expect(outageReason(new TypeError('Converting circular structure to JSON'))).toBeNull()
  })

  test('a full SQLite file is an outage that heals, a constraint is not an outage', () => {
    const db = new DatabaseSync(':memory:')
    db.exec('create table t (x text unique); insert into t values (1); pragma max_page_count = 3')
    const failure = (sql: string) => {
      try {
        db.exec(sql)
      } catch (error) {
        return error
      }
    }
    const full = failure('insert into t values (zeroblob(100000))')
    expect([outageReason(full), isConnectionSpent(full)]).toEqual(['full', false])
    expect(outageReason(failure('insert into t values (1)'))).toBeNull()
    db.close()
  })

  test('tells callers nothing of the inside and operators everything', () => {
    const outage = asOutage(withCode('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432')) as DatabaseOutage
    expect(outage).toBeInstanceOf(AppError)
    expect(outage.message).not.toMatch(/database|10\.0\.0\.7/)
    expect(outage.detail).toContain('10.0.0.7')
    expect(outage.sentence).toBe('The database cannot be reached.')
  })
})

function watched() {
  const lines: { msg: string }[] = []
  const log = createLog({ level: 'info', destination: { write: (text) => void lines.push(JSON.parse(text)) } })
  const clock = new ManualClock()
  const watch = createOutageWatch({ part: 'database', clock, log, metrics: createMetrics() })
  return { watch, clock, lines, messages: () => lines.map(({ msg }) => msg) }
}

describe('an outage', () => {
  test('is one line when it begins, one when it ends, and a metric in between', async () => {
    const lines: { level: number; msg: string }[] = []
    const log = createLog({ level: 'info', destination: { write: (text) => void lines.push(JSON.parse(text)) } })
    const metrics = createMetrics()
    const clock = new ManualClock()
    const watch = createOutageWatch({ part: 'database', clock, log, metrics })
    const state = async () => (await metrics.databaseOutage.get()).values.map(({ value }) => value)

    watch.succeeded()
    for (let index = 0; index < 1_000; index++) watch.failed(new DatabaseOutage(index < 10 ? 'connection' : 'timeout'))
    expect([lines.length, await state()]).toEqual([1, [1]])
    watch.succeeded()
    expect(lines).toHaveLength(1)
    await clock.advance(3_000)
    watch.succeeded()
    watch.succeeded()
    expect(lines).toMatchObject([
      { part: 'database', reason: 'connection', msg: 'the database is in trouble: what needs it is answered with 503' },
      { part: 'database', seconds: 3, failures: { connection: 10, timeout: 990 }, msg: 'the database works again' },
    ])
    expect(await state()).toEqual([0])
    expect(await metrics.registry.metrics()).toContain('sluice_database_failures_total{part="database",reason="timeout"} 990')
  })

  test('by a lock lasts until what was locked works again, whatever else works meanwhile', async () => {
    const { watch, clock, messages } = watched()
    for (let round = 0; round < 6; round++) {
      watch.failed(new DatabaseOutage('locked'), { work: 'select from a' })
      await clock.advance(4_000)
      watch.succeeded('select from b')
    }
    expect(messages()).toHaveLength(1)
    watch.succeeded('select from a')
    expect(messages()).toEqual([expect.stringContaining('in trouble'), 'the database works again'])
  })

  test('by a full disk is not over because a small write still fits', async () => {
    const { watch, clock, messages } = watched()
    for (let round = 0; round < 6; round++) {
      watch.failed(new DatabaseOutage('full'))
      await clock.advance(4_000)
      watch.succeeded()
    }
    expect(messages()).toHaveLength(1)
    await clock.advance(11_000)
    watch.succeeded()
    expect(messages()).toEqual([expect.stringContaining('in trouble'), 'the database works again'])
  })

  test('by a lock ends with the next success when what was locked worked soon after a failure', async () => {
    const { watch, clock, messages } = watched()
    watch.failed(new DatabaseOutage('locked'), { work: 'select from a' })
    watch.succeeded('select from a')
    await clock.advance(2_000)
    watch.succeeded('select from b')
    expect(messages()).toHaveLength(2)
  })

  test('by a lock of what nobody asks for again ends when all else has worked for a while', async () => {
    const { watch, clock, messages, lines } = watched()
    watch.failed(new DatabaseOutage('locked'), { work: 'select from a', lastedMs: 8_000 })
    await clock.advance(14_000)
    watch.succeeded('select from b')
    expect(messages()).toHaveLength(1)
    await clock.advance(1_000)
    watch.succeeded('select from b')
    expect(messages()).toHaveLength(2)
    // It began when what failed was begun.
    expect(lines[1]).toMatchObject({ seconds: 23 })
  })
})
