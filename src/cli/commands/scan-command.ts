/** `sluice scan`: checks files and folders without a server; exit code 1 when there are violations that count. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { ConfigError } from '../../config/config-error.js'
import { packageVersion } from '#platform/package-root.js'
import { Severity } from '#platform/vocabulary/words.js'
import type { BatchScanBody } from '../../edge/scan/scan-output.js'
import { AnswerIsNo } from '../exit.js'
import { parseSpan } from '../options.js'
import { printLine, printNote } from '../output.js'
import { SCAN_FORMATS, type ScanFormat } from '../scan/scan-format.js'
import type { ScanRun } from '../scan/scan-run.js'

interface ScanOptions {
  readonly format: ScanFormat
  readonly standard?: string[]
  readonly failOn: Severity
  readonly baseline?: string
  readonly writeBaseline?: boolean
  readonly diff?: string
  readonly cache: boolean
  readonly timeLimit: number
}

/** The worst first. */
const SEVERITIES = Object.values(Severity)

export function addScanCommand(program: Command): void {
  program
    .command('scan')
    .description('check source code against compliance standards; works without a server')
    .argument('<paths...>', 'files and folders; .gitignore is followed')
    .addOption(new Option('--format <format>', 'how to print').choices(SCAN_FORMATS).default('text'))
    .addOption(new Option('--standard <name>', 'only this standard; repeat for more').argParser(standards))
    .addOption(new Option('--fail-on <severity>', 'exit 1 only from this severity on').choices(SEVERITIES).default('low'))
    .option('--baseline <file>', 'leave out the violations that this file accepts')
    .option('--write-baseline', 'accept what is found: write it to the baseline file')
    .option('--diff <ref>', 'only violations on lines that changed since this commit')
    .option('--no-cache', 'scan files again that have not changed')
    .addOption(new Option('--time-limit <span>', 'for every 200 files').argParser(parseSpan).default(600_000, '10m'))
    .action(scan)
}

function standards(name: string, before: string[] = []): string[] {
  if (name.trim() === '') throw new InvalidArgumentError('Give the name of a standard.')
  return [...before, name]
}

async function scan(paths: readonly string[], options: ScanOptions): Promise<void> {
  if (options.writeBaseline && options.baseline === undefined) throw new ConfigError('--write-baseline needs --baseline <file>.')
  const [{ runScan }, { formatScan }, { writeBaseline }] = await Promise.all([
    import('../scan/scan-run.js'),
    import('../scan/scan-formats.js'),
    import('../scan/scan-baseline.js'),
  ])
  const run = await prepare(paths, options)
  const body = await withProgress(run, runScan)
  run.cache.save()
  if (options.writeBaseline && options.baseline !== undefined) {
    const count = writeBaseline(options.baseline, body.results)
    printNote(`${count} ${count === 1 ? 'violation' : 'violations'} accepted in ${options.baseline}.`)
    return
  }
  printLine(formatScan(options.format, body, { version: packageVersion(), hasColors: hasColors() }))
  judge(body, options.failOn)
}

async function prepare(paths: readonly string[], options: ScanOptions): Promise<ScanRun> {
  const [{ findConfig }, { listSourceFiles }, { cacheFolder, noCache, openScanCache }, { readBaseline }, { changedSince }] =
    await Promise.all([
      import('../scan/scan-run.js'),
      import('../scan/scan-files.js'),
      import('../scan/scan-cache.js'),
      import('../scan/scan-baseline.js'),
      import('../scan/scan-diff.js'),
    ])
  const workingDirectory = process.cwd()
  const config = findConfig(workingDirectory)
  const changed = options.diff === undefined ? null : changedSince(options.diff, workingDirectory)
  const all = listSourceFiles(paths, workingDirectory, config)
  const isRead = options.baseline !== undefined && options.writeBaseline !== true
  return {
    workingDirectory,
    files: changed ? all.filter(({ name }) => changed.has(name)) : all,
    standards: options.standard ?? [],
    config,
    cache: options.cache ? openScanCache(cacheFolder(workingDirectory, process.env), Date.now()) : noCache,
    timeLimitMs: options.timeLimit,
    isAccepted: isRead ? readBaseline(options.baseline) : null,
    changed,
    onProgress: () => undefined,
    onSkipped: printNote,
  }
}

/** Terminals see how far it is; files and pipes get the result only. */
async function withProgress(run: ScanRun, runScan: (run: ScanRun) => Promise<BatchScanBody>): Promise<BatchScanBody> {
  if (!process.stderr.isTTY) return runScan(run)
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    format: '{bar} {value} of {total} files',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  })
  bar.start(run.files.length, 0)
  try {
    return await runScan({ ...run, onProgress: (done) => bar.update(done) })
  } finally {
    bar.stop()
  }
}

const hasColors = (): boolean => process.stdout.isTTY && process.stdout.hasColors() && !process.env['NO_COLOR']

/** A gate must not pass what nobody looked at: files that failed count like violations. */
function judge({ results, overall_summary: summary }: BatchScanBody, failOn: Severity): void {
  const failed = results.filter(({ error }) => error !== undefined).length
  if (failed > 0) throw new AnswerIsNo(`${failed} ${failed === 1 ? 'file' : 'files'} could not be analyzed.`)
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1).reduce((sum, severity) => sum + summary[severity], 0)
  if (counted === 0) return
  const grade = failOn === 'low' ? '' : ` of severity ${failOn} or more`
  throw new AnswerIsNo(`${counted} ${counted === 1 ? 'violation' : 'violations'}${grade} found.`)
}
