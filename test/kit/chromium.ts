/** One Chromium for all files that a worker runs: starting it costs more than most flows. It ends with the worker. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Debian's packages. The first draws no windows, which takes a third less of the processor; figures are those of the second. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const usual = (process.env['SLUICE_FIGURES'] ? INSTALLED.toReversed() : INSTALLED).find((path) => existsSync(path))
const PATH = process.env['CHROMIUM_PATH'] ?? usual
export const hasChromium = PATH !== undefined && existsSync(PATH)

/** Names the folder for what browsers write down; the run removes it, as a worker is killed before it could tidy up. */
export const BROWSER_FOLDER = 'TEST_BROWSER_FOLDER'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Every page is of one server and lives for seconds: new processes, and code that is compiled to be run for long, do not pay.
  // Figures are those of a browser as people have it.
  ...(process.env['SLUICE_FIGURES']
    ? []
    : ['--in-process-gpu', '--process-per-site', '--renderer-process-limit=1', '--js-flags=--no-opt']),
]

let started: Promise<Browser> | undefined

/** What a file opens in it, it closes. */
export function sharedChromium(): Promise<Browser> {
  started ??= launch()
  return started
}

async function launch(): Promise<Browser> {
  const { TMPDIR: before } = process.env
  process.env['TMPDIR'] = process.env[BROWSER_FOLDER]
  try {
    return await chromium.launch({
      ...(PATH !== undefined && { executablePath: PATH }),
      args: ARGUMENTS,
      // A worker's signals are its own: Chromium goes when its pipe is closed.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
