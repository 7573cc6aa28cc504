/** How requests are asked: beside the conversation on a wide screen. */
import type { ReactNode } from 'react'
import { TextAreaField, TextField } from '../../ui/forms/field.js'
import { readSettings, type Settings } from './settings.js'

interface SettingsPanelProps {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}

export function SettingsPanel({ settings, onChange }: SettingsPanelProps) {
  const { faults } = readSettings(settings)
  const field = (name: keyof Settings) => ({
    value: settings[name],
    error: faults[name] ?? null,
    onChange: (value: string) => onChange({ ...settings, [name]: value }),
  })
  return (
    <div className="grid gap-4 p-4">
      <TextAreaField label="System prompt" rows={4} placeholder="You are…" {...field('system')} />
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Temperature" inputMode="decimal" placeholder="model's own" {...field('temperature')} />
        <TextField label="Top P" inputMode="decimal" placeholder="model's own" {...field('topP')} />
        <TextField label="Most tokens" inputMode="numeric" placeholder="model's own" {...field('maxTokens')} />
        <TextField label="Seed" inputMode="numeric" placeholder="random" {...field('seed')} />
      </div>
      <Optional title="Stop texts" isSet={settings.stop !== ''}>
        <TextAreaField label="One a line" rows={3} isMonospaced {...field('stop')} />
      </Optional>
      <Optional title="Tools" isSet={settings.tools !== ''}>
        <TextAreaField label="Functions, as JSON in the shape of the OpenAI API" rows={8} isMonospaced {...field('tools')} />
      </Optional>
      <Optional title="JSON schema" isSet={settings.schema !== ''}>
        <TextAreaField label="What the answer must fit" rows={8} isMonospaced {...field('schema')} />
      </Optional>
    </div>
  )
}

interface OptionalProps {
  readonly title: string
  readonly isSet: boolean
  readonly children: ReactNode
}

const Optional = ({ title, isSet, children }: OptionalProps) => (
  <details className="border-t border-line pt-3" open={isSet}>
    <summary className="text-xs font-medium">
      {title}
      {isSet && <span className="ml-1.5 text-accent">set</span>}
    </summary>
    <div className="mt-3">{children}</div>
  </details>
)
