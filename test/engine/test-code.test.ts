/** What is reported of code that only tests run. */
import { afterAll, expect, it } from 'vitest'
import { createScanner, type Language } from '../../subgraphs/compliance/engine/index.js'
import { ManualClock } from '../kit/manual-clock.js'

const scanner = createScanner({ analyzers: 1, clock: new ManualClock() })
afterAll(() => scanner.close())

const severities = async (filename: string, code: string, language: Language) =>
  (await scanner.scan([{ code, language, filename }]))[0]!.violations.map(({ ruleId, severity }) => `${ruleId} ${severity}`)

const crash = 'int f(void) { int *p = NULL; return *p; }\n'

it.each([
  'tests/orders.c',
  'lib/test/orders.c',
  'src\\unit-tests\\orders.c',
  'libtests/orders.c',
  'testsuite/orders.c',
  'testcode/orders.c',
  'src/it/orders.c',
  'fuzz/orders.c',
  'shop-tests/orders.c',
  'shop-test-support/src/orders.c',
  'shop_test/lib/orders.c',
  'regress/orders.c',
  't/orders.c',
  'shop-test-support/src/orders.c',
  'test_util/orders.c',
  'db_test_util.c',
  'set_up_testing.c',
  'orders_test.c',
  'orders.spec.c',
  'test_orders.c',
])('%s has findings of low severity', async (filename) => {
  expect(await severities(filename, crash, 'c')).toEqual(['c-null-dereference low'])
})

it.each(['OrdersTest.java', 'OrdersTests.java', 'OrdersSpec.java'])('so has %s', async (filename) => {
  const code = 'class A { void f() throws Exception { java.security.MessageDigest.getInstance("MD5").digest(password); } }\n'
  expect((await severities('Orders.java', code, 'java')).every((one) => !one.endsWith(' low'))).toBe(true)
  expect((await severities(filename, code, 'java')).every((one) => one.endsWith(' low'))).toBe(true)
})

it.each([
  'contest.c',
  'latest/orders.c',
  'test_cases/orders.c',
  'samples/orders.c',
  'at/orders.c',
  'testament.c',
  'attested.c',
  'src/inspect.c',
  'example.c',
  'orders-examples.c',
  'test.c',
])('%s keeps them', async (filename) => {
  expect(await severities(filename, crash, 'c')).toEqual(['c-null-dereference medium'])
})

it('test.c has low severity where it consists of tests', async () => {
  const tests = ['one', 'two', 'three'].map((name) => `static void test_${name}(void) { check(${name}()); }\n`).join('')
  expect(await severities('lib/test.c', tests + crash, 'c')).toEqual(['c-null-dereference low'])
  expect(await severities('lib/orders.c', tests + crash, 'c')).toEqual(['c-null-dereference medium'])
})

it('what only shows how something is used has low severity, but for what comes from strangers', async () => {
  expect(await severities('examples/orders.c', crash, 'c')).toEqual(['c-null-dereference low'])
  const reached = 'int f(int s) { char b[99]; int n = recv(s, b, 98, 0); if (n < 0) return 1; b[n] = 0; return system(b); }\n'
  expect(await severities('example/orders.c', reached, 'c')).toEqual(['c-command-injection critical'])
})

it('issued secrets and what a remote caller reaches keep their severity', async () => {
  const code = `const { exec } = require('child_process')
const key = 'AKIAQ3EGSP7HTW2X5KLM'
app.get('/x', (req, res) => exec('ls ' + req.query.dir))
`
  const found = await severities('tests/app.js', code, 'javascript')
  expect(found).toContain('js-command-injection critical')
  expect(found.filter((one) => one.startsWith('secret-'))).toEqual([expect.not.stringMatching(/ low$/)])
})

it('secrets that tests make for themselves are low there', async () => {
  const code = `URL = 'postgres://app:Zr7Lw4qk9Xb2@db.internal.acme.io/shop'\n`
  for (const filename of ['shop/tests/test_orders.py', 'shop/tests.py']) {
    expect(await severities(filename, code, 'python')).toEqual(['secret-url-credentials low'])
  }
  expect(await severities('shop/settings.py', code, 'python')).toEqual(['secret-url-credentials high'])
})

it('a token of tests with the end of none that was issued is low there, and one that counts is none', async () => {
  const code = (...parts: string[]) => `const TOKEN = '${parts.join('')}'\n`
  const wrong = code('ghp_', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '0mLq18')
  const right = code('ghp_', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '0mLq17')
  expect(await severities('tests/urls.js', wrong, 'javascript')).toEqual(['secret-github-token low'])
  expect(await severities('tests/urls.js', right, 'javascript')).toEqual(['secret-github-token critical'])
  expect(await severities('urls.js', wrong, 'javascript')).toEqual(['secret-github-token critical'])
  expect(await severities('urls.js', code('ghp_', '1234567890', 'abcdefghijklmnopqrstuvwxyz'), 'javascript')).toEqual([])
})

it('no remote caller reaches what only a runner of tests loads', async () => {
  const code = `const { exec } = require('child_process')\napp.get('/x', (req, res) => exec('ls ' + req.query.dir))\n`
  expect(await severities('tests/app.js', code, 'javascript')).toContain('js-command-injection critical')
  expect(await severities('app.spec.js', code, 'javascript')).toContain('js-command-injection low')
})
