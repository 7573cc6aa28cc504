/** What is to be scanned: pasted, chosen or dropped. */
import { FileUp, FolderUp, ScanSearch } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { count } from '../format/numbers.js'
import { Button } from '../ui/forms/button.js'
import { classes } from '../ui/classes.js'
import { SELECT, TextAreaField } from '../ui/forms/field.js'
import { droppedFiles, givenFiles, pasted, readSources, type Given, type ScannerConfig, type Sources } from './sources.js'

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Lets a folder be chosen; not in React's types. */
    webkitdirectory?: T extends HTMLInputElement ? string : never
  }
}

interface SourceInputProps {
  readonly config: ScannerConfig
  readonly isBusy: boolean
  readonly onScan: (sources: Sources) => void
}

const NOTHING: Sources = { files: [], left: [] }

export function SourceInput({ config, isBusy, onScan }: SourceInputProps) {
  const [code, setCode] = useState('')
  const [language, setLanguage] = useState(config.files[0]?.language ?? 'JAVASCRIPT')
  const [sources, setSources] = useState<Sources>(NOTHING)
  const [problem, setProblem] = useState<string | null>(null)
  const take = (giving: Promise<readonly Given[]>) => {
    setProblem(null)
    giving
      .then((given) => readSources(given, config))
      .then(setSources, (error: unknown) => setProblem(error instanceof Error ? error.message : 'It cannot be read.'))
  }
  const extension = config.files.find((one) => one.language === language)?.extensions[0] ?? 'txt'
  const scan = () => onScan(sources.files.length > 0 ? sources : pasted(code, language.toLowerCase(), `pasted.${extension}`))
  return (
    <div className="grid gap-4">
      <DropZone onFiles={(files) => take(givenFiles(files, config))} onDrop={(items) => take(droppedFiles(items, config))} />
      {problem !== null && <p className="text-sm text-bad">It cannot be read: {problem}</p>}
      {sources !== NOTHING ? (
        <Chosen sources={sources} onClear={() => setSources(NOTHING)} />
      ) : (
        <div className="grid gap-2">
          <TextAreaField label="Or paste code" rows={12} isMonospaced value={code} onChange={setCode} />
          <select
            aria-label="Language of the pasted code"
            className={classes(SELECT, 'w-44!')}
            value={language}
            onChange={({ target }) =>
              setLanguage(config.files.find((one) => one.language === target.value)?.language ?? language)
            }
          >
            {config.files.map((one) => (
              <option key={one.language} value={one.language}>
                {one.language.toLowerCase()}
              </option>
            ))}
          </select>
        </div>
      )}
      <Button
        variant="primary"
        className="justify-self-start"
        disabled={isBusy || (sources.files.length === 0 && code.trim() === '')}
        onClick={scan}
      >
        <ScanSearch className="size-4" aria-hidden="true" />
        Scan
      </Button>
    </div>
  )
}

interface DropZoneProps {
  readonly onFiles: (files: FileList) => void
  readonly onDrop: (items: DataTransferItemList) => void
}

function DropZone({ onFiles, onDrop }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onDrop(event.dataTransfer.items)
  }
  const chosen = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    if (currentTarget.files && currentTarget.files.length > 0) onFiles(currentTarget.files)
    currentTarget.value = ''
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-3 rounded-md border border-dashed px-4 py-8 text-center text-sm',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge',
      )}
    >
      <p>Drop files, a folder or a zip here.</p>
      <div className="flex gap-2">
        <Button onClick={() => files.current?.click()}>
          <FileUp className="size-4" aria-hidden="true" />
          Files or a zip
        </Button>
        <Button onClick={() => folder.current?.click()}>
          <FolderUp className="size-4" aria-hidden="true" />
          Folder
        </Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label="Files to scan" onChange={chosen} />
      <input ref={folder} type="file" webkitdirectory="" hidden aria-label="Folder to scan" onChange={chosen} />
      <p className="text-xs text-muted">
        They are read in this browser. The server scans them and keeps what it finds, not the code.
      </p>
    </div>
  )
}

const Chosen = ({ sources: { files, left }, onClear }: { readonly sources: Sources; readonly onClear: () => void }) => (
  <div className="grid gap-2 rounded-md border border-line p-3 text-sm">
    <div className="flex items-center gap-2">
      <span className="mr-auto font-medium" role="status">
        {files.length === 1 ? '1 file' : `${count(files.length)} files`} to scan
      </span>
      <Button variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </div>
    <ul className="max-h-48 overflow-y-auto font-mono text-xs" tabIndex={0} aria-label="Files to scan">
      {files.slice(0, 200).map(({ filename }) => (
        <li key={filename} className="truncate">
          {filename}
        </li>
      ))}
      {files.length > 200 && <li className="text-muted">and {count(files.length - 200)} more</li>}
    </ul>
    {left.length > 0 && (
      <details>
        <summary className="text-xs text-muted">{count(left.length)} left out</summary>
        <ul className="mt-1 max-h-40 overflow-y-auto text-xs text-muted" tabIndex={0} aria-label="Left out">
          {left.slice(0, 200).map(({ name, why }) => (
            <li key={name} className="truncate">
              <span className="font-mono">{name}</span>: {why}
            </li>
          ))}
        </ul>
      </details>
    )}
  </div>
)
