/** The playground in Chromium: answers that stream, what they cost and why, branches, two models, and one that is cold at first. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { expectAccessible, hasChromium, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

/** A PNG of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.skipIf(!hasChromium)('the playground in Chromium (skipped where Chromium is not installed; CI installs it)', () => {
  let app: TestApp
  let browser: ConsoleBrowser
  beforeAll(async () => {
    app = await startTestApp({
      config: {
        sandbox: true,
        sandbox_tokens_per_second: 100,
        catalog: { include_shipped: true },
        models: [{ id: 'gemma-3-27b-it', sandbox: true }],
        compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.2 }] },
      },
    })
    browser = await startBrowser(app.url)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  const say = async (page: Page, text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  /** What was charged, as the page shows it, below the answers that are there. */
  const costs = (page: Page) => page.getByTitle('What was charged').allTextContents()

  it('streams an answer, shows what the ledger charged for it, and why it was answered where it was', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    await say(page, 'What is a sluice?')
    await page.getByText('to first token').waitFor()
    const { viewer } = await app.graphql<{ viewer: { usage: { nodes: [{ cost: string; deploymentId: string }] } } }>(
      '{ viewer { usage(first: 1) { nodes { cost deploymentId } } } }',
    )
    const [record] = viewer.usage.nodes
    expect(await costs(page)).toEqual([`$${record.cost}`])
    await page.getByRole('button', { name: 'Why here?' }).click()
    await page.getByRole('dialog').getByRole('cell', { name: record.deploymentId }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    for (const name of [/^Model: /, 'Conversations']) {
      await page.getByRole('button', { name }).click()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await expectAccessible(page)

    // The conversation is this browser's: it is there when the page is loaded again.
    await page.reload()
    await page.getByText('What is a sluice?').waitFor()
    // Saying something else at its beginning opens a branch beside it.
    await page.getByRole('button', { name: 'Say something else here' }).click()
    await page.getByLabel('The message', { exact: true }).fill('What is a weir?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('2/2').waitFor()
    await page.getByText('to first token').waitFor()
    await page.getByRole('button', { name: 'The branch before' }).click()
    await page.getByText('What is a sluice?').waitFor()
  })

  it('says below an answer what is wrong with its code, also after it was loaded again', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    const weak = "```python\nimport os\nfrom flask import request\nos.system(request.args['d'])\n```"
    await say(page, `Say ${weak}\nand\n\`\`\`python\nprint(1)\n\`\`\``)
    await page.getByText('to first token').waitFor()
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload()
      await page.getByText('1 violation in the code of this answer').click()
      await page.getByText('Untrusted data reaches a shell').waitFor()
      expect(await page.getByText(/block 1, line 3 · python · CWE-78/).count()).toBe(1)
      await expectAccessible(page)
    }
    await page.getByRole('button', { name: 'New conversation' }).click()
    await say(page, 'Say ```python\nprint(1)\n```')
    await page.getByText('Nothing found in 1 piece of code').waitFor()
  })

  it('stops an answer with Esc, and shows what had been delivered and what that cost', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    await say(page, 'Write a very long story. '.repeat(20))
    await page.getByRole('button', { name: 'Stop (Esc)' }).waitFor()
    await page.locator('article[aria-busy] .prose').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect(await costs(page)).toEqual([expect.stringMatching(/^\$0\.0*[1-9]\d*$/)])
  })

  it('asks two models side by side, each for its own price, also on a narrow screen', async () => {
    const page = await browser.openWith(app.adminKey, '/play?model=llama-3.2-3b-instruct&beside=qwen3-8b', NARROW)
    await say(page, 'Hello')
    await expect.poll(() => costs(page), { timeout: 20_000 }).toHaveLength(2)
    const [one, two] = await costs(page)
    expect(one).not.toBe(two)
    await expectAccessible(page)
  })

  it('shows the deployment of a cold model and then answers the question', async () => {
    const { models } = await app.graphql<{ models: { models: { id: string }[] } }>(
      '{ models(availability: COLD, limit: 1) { models { id } } }',
    )
    const page = await browser.openWith(app.adminKey, `/play?model=${models.models[0]!.id}`)
    await say(page, 'Hello')
    await page.getByText('is put on a GPU').waitFor()
    await page.getByText('to first token').waitFor({ timeout: 45_000 })
    expect(await costs(page)).toHaveLength(1)
  }, 90_000)

  it('asks a model that takes images about one that was picked, pasted or dropped, and says of a file when it is none', async () => {
    const page = await browser.openWith(app.adminKey, '/play?model=gemma-3-27b-it&beside=qwen3-8b')
    await page.getByRole('button', { name: 'Ask one model only' }).waitFor()
    const picker = page.getByLabel('Images to ask about')
    await page.getByRole('img', { name: 'Answers now' }).nth(1).waitFor()
    expect(await picker.count()).toBe(0)
    await page.getByRole('button', { name: 'Ask one model only' }).click()
    await picker.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
    await page.getByText('no.png is no image that this browser can read.').waitFor()
    await picker.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') })
    await page.getByRole('img', { name: '1 of 1' }).waitFor()
    await page.evaluate((dot) => {
      const bytes = Uint8Array.from(atob(dot), (one) => one.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }))
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true })
      document.querySelector('[data-search-field]')!.dispatchEvent(paste)
    }, DOT)
    await page.getByRole('img', { name: '2 of 2' }).waitFor()
    await page.getByRole('button', { name: 'Remove image 2' }).click()
    await expectAccessible(page)
    const asked = page.waitForRequest((request) => request.postData()?.includes('PlayChat') === true)
    await say(page, 'What is this?')
    const { variables } = (await asked).postDataJSON() as { variables: { input: { messages: { parts: object[] }[] } } }
    const url = expect.stringMatching(/^data:image\/jpeg;base64,/) as string
    expect(variables.input.messages[0]!.parts).toEqual([{ text: 'What is this?' }, { image: { url } }])
    await page.getByRole('article', { name: 'You' }).getByRole('img').waitFor()
    await page.getByText('to first token').waitFor()
    expect(await page.getByRole('button', { name: 'Remove image 1' }).count()).toBe(0)
  })

  it('shows the request as code, with the settings, and says which setting is wrong', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    await page.getByLabel('Temperature').fill('3')
    await page.getByText('A number from 0 to 2.').waitFor()
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByLabel('System prompt').fill('Be brief.')
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = page.getByLabel('the request in curl', { exact: true })
    await code.getByText('"temperature": 0.5').waitFor()
    expect(await code.textContent()).toContain('"content": "Be brief."')
    await expectAccessible(page)
  })

  it('leads to the explorer, which asks with the session', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    await page.getByRole('link', { name: 'Explorer' }).click()
    await page
      .getByRole('button', { name: /execute/i })
      .first()
      .click()
    await page.getByText('INSTANT').first().waitFor()
    // GraphiQL lets the first change of the tab go by.
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Ask', exact: true }).click()
        return page.getByRole('tab', { name: 'Ask' }).getAttribute('aria-selected')
      })
      .toBe('true')
    // For a moment it still asks for the former tab's operation, and says that it cannot infer it.
    await expect
      .poll(async () => {
        await page
          .getByRole('button', { name: /execute/i })
          .first()
          .click()
        const answer = page.getByText('completionTokens').nth(1)
        return answer.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        )
      })
      .toBe(true)
    expect(new URL(page.url()).pathname).toBe('/graphql')
  })
})
