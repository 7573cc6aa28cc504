/** Code with its findings in the gutter, and the way of the data of the one that is open. Loaded when there is code to show. */
import { StreamLanguage, syntaxHighlighting, HighlightStyle, type StreamParser } from '@codemirror/language'
import { EditorState, RangeSet, StateEffect, StateField, type Range, type Text } from '@codemirror/state'
import { Decoration, drawSelection, EditorView, gutter, GutterMarker, lineNumbers, type DecorationSet } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { Language, ScanFindingFragment } from '../../../generated/console-scan.js'

interface CodeViewProps {
  readonly label: string
  readonly code: string
  readonly language: Language
  readonly findings: readonly ScanFindingFragment[]
  readonly open: ScanFindingFragment | undefined
  /** The line to come into sight. */
  readonly line: number
  readonly onOpen: (finding: ScanFindingFragment) => void
}

type Modes = Readonly<Partial<Record<Language, () => Promise<StreamParser<unknown>>>>>

const clike = () => import('@codemirror/legacy-modes/mode/clike')
const script = () => import('@codemirror/legacy-modes/mode/javascript')

/** PHP has none here and is shown as it is. */
const MODES: Modes = {
  BASH: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  C: async () => (await clike()).c,
  CPP: async () => (await clike()).cpp,
  CSHARP: async () => (await clike()).csharp,
  GO: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  JAVA: async () => (await clike()).java,
  JAVASCRIPT: async () => (await script()).javascript,
  KOTLIN: async () => (await clike()).kotlin,
  PYTHON: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  RUBY: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby,
  RUST: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  SCALA: async () => (await clike()).scala,
  SQL: async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL,
  SWIFT: async () => (await import('@codemirror/legacy-modes/mode/swift')).swift,
  TYPESCRIPT: async () => (await script()).typescript,
}

const LOOKS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.regexp], color: 'var(--color-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-warn)' },
  { tag: tags.comment, color: 'var(--color-muted)', fontStyle: 'italic' },
])

const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '0.75rem', backgroundColor: 'var(--color-canvas)' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-muted)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-findings .cm-gutterElement': { cursor: 'pointer', padding: '0 2px 0 6px' },
  '.cm-path': { backgroundColor: 'var(--color-warn-soft)' },
  '.cm-place': { backgroundColor: 'var(--color-bad-soft)', textDecoration: 'underline wavy var(--color-bad) 1px' },
})

const COLOURS: Readonly<Record<ScanFindingFragment['severity'], string>> = {
  CRITICAL: 'var(--color-bad)',
  HIGH: 'var(--color-bad)',
  MEDIUM: 'var(--color-warn)',
  LOW: 'var(--color-edge)',
}

class FindingMarker extends GutterMarker {
  constructor(private readonly finding: ScanFindingFragment) {
    super()
  }
  override toDOM(): HTMLElement {
    const dot = document.createElement('span')
    dot.textContent = this.finding.severity === 'LOW' ? '○' : '●'
    dot.style.color = COLOURS[this.finding.severity]
    dot.title = this.finding.message
    return dot
  }
}

interface Place {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Where that is in the text; a place beyond its end is at it. */
function rangeOf(doc: Text, { line, column, endLine, endColumn }: Place): { from: number; to: number } {
  const at = (line: number, column: number) => {
    const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
    return Math.min(from + column - 1, to)
  }
  return { from: at(line, column), to: at(endLine, endColumn) }
}

function marksOf(doc: Text, open: ScanFindingFragment | undefined): DecorationSet {
  if (!open) return Decoration.none
  const marks: Range<Decoration>[] = []
  const add = (place: Place, className: string) => {
    const { from, to } = rangeOf(doc, place)
    if (from < to) marks.push(Decoration.mark({ class: className }).range(from, to))
  }
  for (const step of open.flow) add(step, 'cm-path')
  add(open, 'cm-place')
  return Decoration.set(marks, true)
}

const showOpen = StateEffect.define<ScanFindingFragment | undefined>()

const shownMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, newDoc }) {
    for (const effect of effects) if (effect.is(showOpen)) return marksOf(newDoc, effect.value)
    return marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

function findingGutter(findings: readonly ScanFindingFragment[], onOpen: CodeViewProps['onOpen']) {
  const onLine = (line: number) => findings.find((one) => one.line === line)
  return gutter({
    class: 'cm-findings',
    markers({ state: { doc } }) {
      const lines = [...new Set(findings.map(({ line }) => Math.min(line, doc.lines)))].toSorted((a, b) => a - b)
      return RangeSet.of(lines.map((line) => new FindingMarker(onLine(line) ?? findings[0]!).range(doc.line(line).from)))
    },
    domEventHandlers: {
      mousedown(view, block) {
        const finding = onLine(view.state.doc.lineAt(block.from).number)
        if (finding) onOpen(finding)
        return finding !== undefined
      },
    },
  })
}

export function CodeView({ label, code, language, findings, open, line, onOpen }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  useEffect(() => {
    const parent = host.current
    if (!parent) return
    let isGone = false
    const extensions = [
      lineNumbers(),
      findingGutter(findings, onOpen),
      shownMarks,
      drawSelection(),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', role: 'textbox', 'aria-readonly': 'true' }),
      THEME,
      syntaxHighlighting(LOOKS),
    ]
    // In a tree of its own its styles are constructed sheets; in the page they would be elements, which the policy forbids.
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
    const editor = new EditorView({ parent: root, root, state: EditorState.create({ doc: code, extensions }) })
    view.current = editor
    void MODES[language]?.().then((mode) => {
      if (!isGone) editor.dispatch({ effects: StateEffect.appendConfig.of(StreamLanguage.define(mode)) })
    })
    return () => {
      isGone = true
      editor.destroy()
    }
  }, [label, code, language, findings, onOpen])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const { from } = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines))
    editor.dispatch({ effects: [showOpen.of(open), EditorView.scrollIntoView(from, { y: 'center' })] })
  }, [open, line])
  return <div ref={host} className="h-full min-h-0" />
}
