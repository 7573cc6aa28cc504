/** The scanner in Chromium: a folder and a zip are read in the browser, findings shown in their code, accepted, and kept as a report. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { expectAccessible, hasChromium, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

const HANDLER = `const express = require('express')
const app = express()
app.get('/users', (req, res) => {
  const name = req.query.name
  const sql = "SELECT * FROM users WHERE name = '" + name + "'"
  db.query(sql, (_, rows) => res.json(rows))
})
`
const HASH = 'import hashlib\n\ndef digest(password):\n    return hashlib.md5(password).hexdigest()\n'

/** As somebody drops files of their machine. */
async function drop(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const pointer = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await pointer.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
  }
  await pointer.detach()
}

describe.skipIf(!hasChromium)('the scanner in Chromium', () => {
  let app: TestApp
  let browser: ConsoleBrowser
  const folder = mkdtempSync(join(tmpdir(), 'sluice-scan-'))
  beforeAll(async () => {
    mkdirSync(join(folder, 'project/node_modules'), { recursive: true })
    writeFileSync(join(folder, 'project/users.js'), HANDLER)
    writeFileSync(join(folder, 'project/hash.py'), HASH)
    writeFileSync(join(folder, 'project/notes.txt'), 'no code')
    writeFileSync(join(folder, 'project/node_modules/other.js'), HANDLER)
    writeFileSync(join(folder, 'code.zip'), zipSync({ 'src/hash.py': strToU8(HASH), 'src/node_modules/x.js': strToU8(HANDLER) }))
    app = await startTestApp({ config: { sandbox: true } })
    browser = await startBrowser(app.url)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  it('a folder is scanned, its findings stand in their code with the way of the data, and the report is kept', async () => {
    const page = await browser.openWith(app.adminKey, '/scan')
    await page.getByLabel('Folder to scan').setInputFiles(join(folder, 'project'))
    await page.getByText('2 files to scan').waitFor()
    await page.getByText('1 left out').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const findings = page.getByRole('region', { name: 'Findings' })
    await findings.getByRole('button').first().waitFor()
    await findings
      .getByRole('button', { name: /users\.js:6/ })
      .first()
      .click()
    const about = page.getByRole('region', { name: 'About the finding' })
    await about.getByText('source').first().waitFor()
    await page.getByRole('textbox', { name: 'Code of project/users.js' }).getByText('req.query.name').waitFor()
    await page.locator('.cm-findings .cm-gutterElement span').first().waitFor()
    await about.getByLabel('Reason').fill('only numbers come here')
    expect(await about.getByLabel('the comment for the line before', { exact: true }).textContent()).toMatch(
      /^\/\/ compliance-ignore-next-line [\w-]+ -- only numbers come here$/,
    )
    await expectAccessible(page)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'SARIF' }).click()
    const sarif = JSON.parse(readFileSync(await (await saving).path(), 'utf8')) as { runs: { results: unknown[] }[] }
    expect(sarif.runs[0]?.results.length).toBe(await findings.getByRole('button').count())
  })

  it('a zip is opened in the browser, files and folders may be dropped; what was scanned before and every rule can be looked up on a phone', async () => {
    const page = await browser.openWith(app.adminKey, '/scan', NARROW)
    await page.getByLabel('Files to scan').setInputFiles(join(folder, 'code.zip'))
    await page.getByText('1 file to scan').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await drop(page, page.getByText('Drop files, a folder or a zip here.'), [join(folder, 'project'), join(folder, 'code.zip')])
    await page.getByText('3 files to scan').waitFor()
    expect(await page.getByRole('list', { name: 'Files to scan' }).getByRole('listitem').allTextContents()).toEqual([
      'project/hash.py',
      'project/users.js',
      'src/hash.py',
    ])
    await page.getByText('1 left out').waitFor()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page
      .getByRole('region', { name: 'Findings' })
      .getByRole('button', { name: /hash\.py:4/ })
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Past' }).click()
    await page.getByRole('img', { name: /Findings of the last/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByLabel('Filter rules').fill('md5')
    await expectAccessible(page)
    await page.getByRole('region', { name: 'Rules', exact: true }).getByRole('row').nth(1).press('Enter')
    await page.getByRole('region', { name: 'About the rule' }).waitFor()
    await expectAccessible(page)
  })
})
