/** Code out of files, folders and archives, read in the browser. Nothing leaves it but what is scanned. */
import type { ScanConfigQuery, ScanFileInput } from '../../generated/console-scan.js'

export type ScannerConfig = NonNullable<ScanConfigQuery['scannerConfig']>

export interface Given {
  /** With slashes, as findings name it. */
  readonly name: string
  readonly size: number
  readonly read: () => Promise<string>
}

export interface Sources {
  readonly files: readonly (ScanFileInput & { readonly filename: string })[]
  /** What was left out, with the reason. */
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

/** Other people's code and caches. */
const NEVER_ENTERED = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules|__MACOSX)\//

function languageOf(name: string, { files }: Pick<ScannerConfig, 'files'>): string | null {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase()
  return files.find(({ extensions }) => extension !== undefined && extensions.includes(extension))?.language.toLowerCase() ?? null
}

/** What of it the scanner takes, in the order of the names. */
export async function readSources(given: readonly Given[], config: ScannerConfig): Promise<Sources> {
  const files: (ScanFileInput & { filename: string })[] = []
  const left: { name: string; why: string }[] = []
  let bytes = 0
  for (const { name, size, read } of given.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (NEVER_ENTERED.test(name)) continue
    const language = languageOf(name, config)
    if (language === null) left.push({ name, why: 'no code that the scanner knows' })
    else if (size > config.maxFileBytes) left.push({ name, why: 'too large' })
    else if (files.length >= config.maxFiles || bytes + size > config.maxBatchBytes)
      left.push({ name, why: 'beyond what one scan takes' })
    else {
      files.push({ filename: name, language, code: await read() })
      bytes += size
    }
  }
  return { files, left }
}

export const pasted = (code: string, language: string, filename: string): Sources => ({
  files: [{ code, language, filename }],
  left: [],
})

/** Chosen files, and folders with their paths; archives are opened. */
export async function givenFiles(files: Iterable<File>, config: ScannerConfig): Promise<Given[]> {
  const given = await Promise.all([...files].map((file) => givenOf(file, file.webkitRelativePath || file.name, config)))
  return given.flat()
}

async function givenOf(file: File, name: string, config: ScannerConfig): Promise<Given[]> {
  if (!name.toLowerCase().endsWith('.zip')) return [{ name, size: file.size, read: () => file.text() }]
  const { unzipSync } = await import('fflate')
  let bytes = 0
  // An archive can hold far more than it weighs: only what a scan takes is unpacked.
  const entries = unzipSync(new Uint8Array(await file.arrayBuffer()), {
    filter({ name, originalSize }) {
      if (NEVER_ENTERED.test(name) || languageOf(name, config) === null || originalSize > config.maxFileBytes) return false
      bytes += originalSize
      return bytes <= config.maxBatchBytes
    },
  })
  const decoder = new TextDecoder()
  return Object.entries(entries).map(([path, content]) => ({
    name: path,
    size: content.length,
    read: async () => decoder.decode(content),
  }))
}

/** What was dropped, folders with all that is in them. To be called while the event is handled: afterwards there is nothing left. */
export async function droppedFiles(items: DataTransferItemList, config: ScannerConfig): Promise<Given[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const given = await Promise.all(entries.map((entry) => walk(entry, config)))
  return given.flat()
}

async function walk(entry: FileSystemEntry, config: ScannerConfig): Promise<Given[]> {
  const name = entry.fullPath.slice(1)
  if (NEVER_ENTERED.test(`${name}/`)) return []
  if (isFile(entry)) return givenOf(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), name, config)
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const given: Given[] = []
  for (;;) {
    // A reader gives a hundred at a time, and none at the end.
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (children.length === 0) return given
    for (const child of children) given.push(...(await walk(child, config)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** The code of scans of this tab, by scan and file: the server does not keep it. */
const kept = new Map<string, ReadonlyMap<string, string>>()

export const keepCode = (scan: string, { files }: Sources): void =>
  void kept.set(scan, new Map(files.map(({ filename, code }) => [filename, code])))

export const codeOf = (scan: string, filename: string): string | null => kept.get(scan)?.get(filename) ?? null
